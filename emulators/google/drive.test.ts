// Drive: files with pre-generated ids, search, partial answers, changes and sharing.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { getPathValue, getTextAt } from '../kit/api-client.ts';
import { createApiClient } from './api-client.ts';
import type { ApiClient } from './api-client.ts';
import { startGoogleEmulator } from './index.ts';
import type { GoogleEmulator } from './index.ts';

const files = '/drive/v3/files';
const document = 'application/vnd.google-apps.document';
const folderType = 'application/vnd.google-apps.folder';
let google: GoogleEmulator;
let ada: ApiClient;
let who = '';
let count = 0;

beforeAll(async () => {
  google = await startGoogleEmulator({ now: () => new Date('2026-03-02T09:00:00Z') });
});

// Every test has a drive of its own.
beforeEach(() => {
  count += 1;
  who = `ada${count}@example.com`;
  google.addAccount({ email: who, name: 'Ada Lovelace' });
  ada = createApiClient(google, who, ['https://www.googleapis.com/auth/drive']);
});

afterAll(() => google.close());

function buildRelatedBody(metadata: object, type: string, content: string) {
  const body = `--x\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}\r\n--x\r\nContent-Type: ${type}\r\n\r\n${content}\r\n--x--`;
  return { body, headers: { 'content-type': 'multipart/related; boundary=x' }, query: { uploadType: 'multipart' } };
}

const listNames = (body: unknown) => (getPathValue(body, 'files') as { name: string }[]).map((file) => file.name);

test('a generated id is used once; a second use and an invented id are refused', async () => {
  const { body } = await ada('GET', `${files}/generateIds`, { query: { count: '2' } });
  const id = getTextAt(body, 'ids.0');
  expect(body).toMatchObject({ kind: 'drive#generatedIds', space: 'drive' });
  const made = await ada('POST', `/upload${files}`, buildRelatedBody({ id, name: 'once.txt' }, 'text/plain', 'Hello'));
  expect(made.body).toEqual({ kind: 'drive#file', id, name: 'once.txt', mimeType: 'text/plain' });
  const duplicate = await ada('POST', files, { json: { id, name: 'twice.txt' } });
  expect(duplicate.status).toBe(409);
  expect(duplicate.body.error?.errors[0]).toMatchObject({
    reason: 'fileIdInUse',
    message: 'A file already exists with the provided ID.',
  });
  const invented = await ada('POST', files, { json: { id: `1${'a'.repeat(32)}` } });
  expect(invented.body.error).toMatchObject({ code: 400, message: 'The provided file ID is not usable.' });
  const native = await ada('POST', files, { json: { id: getTextAt(body, 'ids.1'), name: 'Doc', mimeType: document } });
  expect(native.body.error).toMatchObject({
    code: 403,
    message: 'Generated IDs are not supported for Docs Editors formats.',
  });
});

test('content is uploaded and downloaded byte for byte', async () => {
  const made = await ada('POST', `/upload${files}`, {
    query: { uploadType: 'media' },
    body: Buffer.from([0, 255, 10, 13]),
    headers: { 'content-type': 'application/x-bytes' },
  });
  const path = `${files}/${getTextAt(made.body, 'id')}`;
  const response = await fetch(new URL(`${path}?alt=media`, google.url), {
    headers: {
      authorization: `Bearer ${google.issueTokens(who, ['https://www.googleapis.com/auth/drive.readonly']).accessToken}`,
    },
  });
  expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255, 10, 13]);
  const details = await ada('GET', path, { query: { fields: 'size,md5Checksum' } });
  expect(details.body).toEqual({ size: '4', md5Checksum: expect.stringMatching(/^[0-9a-f]{32}$/) });
  await ada('PATCH', `/upload${path}`, buildRelatedBody({ name: 'renamed' }, 'text/plain', 'new'));
  expect((await ada('GET', path, { query: { alt: 'media' } })).text).toBe('new');
});

test('an answer has four fields unless the client asks for more, and unknown fields are refused', async () => {
  const { id } = google.seedFile(who, { name: 'a.txt', mimeType: 'text/plain', content: 'x' });
  expect(Object.keys((await ada('GET', `${files}/${id}`)).body)).toEqual(['kind', 'id', 'name', 'mimeType']);
  const some = await ada('GET', files, { query: { fields: 'files(id,owners/emailAddress)' } });
  expect(some.body).toEqual({ files: [{ id, owners: [{ emailAddress: who }] }] });
  expect(Object.keys((await ada('GET', `${files}/${id}`, { query: { fields: '*' } })).body).length).toBeGreaterThan(20);
  expect((await ada('GET', files, { query: { fields: 'files(title)' } })).body.error?.message).toBe(
    'Invalid field selection title',
  );
  expect((await ada('GET', '/drive/v3/about')).body.error?.message).toBe(
    "The 'fields' parameter is required for this method.",
  );
});

test('documents are exported and other files downloaded, and never the other way round', async () => {
  const native = google.seedFile(who, { name: 'Notes', mimeType: document, content: 'One\nTwo' });
  const binary = google.seedFile(who, { name: 'b.txt', mimeType: 'text/plain', content: 'x' });
  const exported = await fetch(new URL(`${files}/${native.id}/export?mimeType=text/plain`, google.url), {
    headers: {
      authorization: `Bearer ${google.issueTokens(who, ['https://www.googleapis.com/auth/drive']).accessToken}`,
    },
  });
  expect(Buffer.from(await exported.arrayBuffer()).toString()).toBe('\uFEFFOne\r\nTwo');
  const reason = async (path: string, query: Record<string, string>) =>
    (await ada('GET', path, { query })).body.error?.errors[0]?.reason;
  expect(await reason(`${files}/${native.id}`, { alt: 'media' })).toBe('fileNotDownloadable');
  expect(await reason(`${files}/${binary.id}/export`, { mimeType: 'text/plain' })).toBe('fileNotExportable');
  expect(await reason(`${files}/${native.id}/export`, { mimeType: 'image/png' })).toBe('badRequest');
});

test('a spreadsheet is exported whole as a workbook, its first tab alone as values, and nothing above 10 MB', async () => {
  const spreadsheet = 'application/vnd.google-apps.spreadsheet';
  const { id } = google.seedFile(who, { name: 'B', mimeType: spreadsheet, tabs: { Spring: 'a,b', Autumn: 'c,d' } });
  const huge = google.seedFile(who, { name: 'H', mimeType: document, content: 'x'.repeat(10_000_001) });
  const authorization = `Bearer ${google.issueTokens(who, ['https://www.googleapis.com/auth/drive']).accessToken}`;
  const exportFile = (file: string, type: string) =>
    fetch(new URL(`${files}/${file}/export?mimeType=${type}`, google.url), { headers: { authorization } });
  expect(await (await exportFile(id, 'text/csv')).text()).toBe('a,b');
  const workbook = await exportFile(id, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  expect(await workbook.text()).toMatch(/^PK[\s\S]*name="Spring"[\s\S]*name="Autumn"[\s\S]*>d</);
  const refused = await exportFile(huge.id, 'text/plain');
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ error: { errors: [{ reason: 'exportSizeLimitExceeded' }] } });
  const shortcut = google.seedFile(who, { name: 'S', mimeType: `${spreadsheet.slice(0, 28)}shortcut`, targetId: id });
  const details = { targetId: id, targetMimeType: spreadsheet };
  const { body } = await ada('GET', `${files}/${shortcut.id}`, { query: { fields: 'mimeType,shortcutDetails' } });
  expect(body).toEqual({ mimeType: 'application/vnd.google-apps.shortcut', shortcutDetails: details });
});

test('search understands names, text, types, folders, times and their combinations', async () => {
  const folder = google.seedFile(who, { name: 'Projects', mimeType: folderType });
  google.seedFile(who, {
    name: 'Budget report',
    mimeType: document,
    content: 'compiler costs',
    folder: folder.id,
    modifiedTime: new Date('2026-02-01T00:00:00Z'),
  });
  google.seedFile(who, { name: "Ada's list", mimeType: 'text/plain', content: 'compiler', trashed: true });
  const find = async (q: string) => listNames((await ada('GET', files, { query: { q, orderBy: 'name' } })).body);
  expect(await find("name contains 'bud' and trashed = false")).toEqual(['Budget report']);
  expect(await find("name contains 'udget'")).toEqual([]);
  expect(await find(String.raw`name = 'Ada\'s list'`)).toEqual(["Ada's list"]);
  expect(await find(`'${folder.id}' in parents`)).toEqual(['Budget report']);
  expect(await find(`'root' in parents and not mimeType = '${folderType}'`)).toEqual(["Ada's list"]);
  expect(await find(`(mimeType = '${folderType}' or trashed = true) and 'me' in owners`)).toEqual([
    "Ada's list",
    'Projects',
  ]);
  expect(await find("modifiedTime > '2026-02-15T00:00:00'")).toEqual(["Ada's list", 'Projects']);
  const text = { q: "fullText contains 'compiler' and trashed = false" };
  expect(listNames((await ada('GET', files, { query: text })).body)).toEqual(['Budget report']);
  expect((await ada('GET', files, { query: { ...text, orderBy: 'name' } })).status).toBe(400);
  const bad = await ada('GET', files, { query: { q: 'title contains "x"' } });
  expect(bad.body.error?.errors[0]).toMatchObject({ reason: 'invalid', message: 'Invalid Value', location: 'q' });
});

test('lists have pages of a permitted size', async () => {
  for (let number = 0; number < 3; number += 1) google.seedFile(who, { name: `${number}`, mimeType: 'text/plain' });
  const first = await ada('GET', files, { query: { pageSize: '2', orderBy: 'name' } });
  const second = await ada('GET', files, {
    query: { pageSize: '2', orderBy: 'name', pageToken: getTextAt(first.body, 'nextPageToken') },
  });
  expect([...listNames(first.body), ...listNames(second.body)]).toEqual(['0', '1', '2']);
  expect((await ada('GET', files, { query: { pageSize: '1001' } })).status).toBe(400);
});

test('a file is renamed, moved, trashed and deleted; read-only fields are refused', async () => {
  const folder = google.seedFile(who, { name: 'Folder', mimeType: folderType });
  const { id } = google.seedFile(who, { name: 'f', mimeType: 'text/plain' });
  const moved = await ada('PATCH', `${files}/${id}`, {
    json: { name: 'g' },
    query: { addParents: folder.id, removeParents: 'root', fields: 'name,parents' },
  });
  expect(moved.body).toEqual({ name: 'g', parents: [folder.id] });
  const reason = async (json: object) => (await ada('PATCH', `${files}/${id}`, { json })).body.error?.errors[0]?.reason;
  expect(await reason({ parents: ['root'] })).toBe('fieldNotWritable');
  expect(await reason({ size: '3' })).toBe('fieldNotWritable');
  expect(await reason({ title: 'x' })).toBe('badRequest');
  expect((await ada('DELETE', `${files}/${folder.id}`)).status).toBe(204);
  const afterDelete = await ada('GET', `${files}/${id}`);
  expect(afterDelete.body.error).toMatchObject({
    code: 404,
    message: `File not found: ${id}.`,
    errors: [{ reason: 'notFound' }],
  });
});

test('changes since a token list each file once', async () => {
  const start = getTextAt((await ada('GET', '/drive/v3/changes/startPageToken')).body, 'startPageToken');
  const kept = await ada('POST', files, { json: { name: 'kept' } });
  const dropped = await ada('POST', files, { json: { name: 'dropped' } });
  await ada('PATCH', `${files}/${getTextAt(kept.body, 'id')}`, { json: { name: 'renamed' } });
  await ada('DELETE', `${files}/${getTextAt(dropped.body, 'id')}`);
  const delta = await ada('GET', '/drive/v3/changes', { query: { pageToken: start } });
  expect(delta.body.changes).toMatchObject([
    { removed: false, file: { name: 'renamed' } },
    { removed: true, fileId: dropped.body.id },
  ]);
  const next = await ada('GET', '/drive/v3/changes', {
    query: { pageToken: getTextAt(delta.body, 'newStartPageToken') },
  });
  expect(next.body.changes).toEqual([]);
});

test('another account sees a shared file, and may do what its role allows', async () => {
  google.ledger.clear();
  google.addAccount({ email: `grace${count}@example.com`, name: 'Grace' });
  const grace = createApiClient(google, `grace${count}@example.com`, ['https://www.googleapis.com/auth/drive']);
  const { id } = google.seedFile(who, { name: 'Shared', mimeType: 'text/plain' });
  expect((await grace('GET', `${files}/${id}`)).status).toBe(404);
  const share = (role: string) =>
    ada('POST', `${files}/${id}/permissions`, {
      json: { type: 'user', role, emailAddress: `grace${count}@example.com` },
    });
  expect((await share('reader')).body).toMatchObject({ kind: 'drive#permission', type: 'user', role: 'reader' });
  expect(listNames((await grace('GET', files, { query: { q: 'sharedWithMe' } })).body)).toEqual(['Shared']);
  expect((await grace('PATCH', `${files}/${id}`, { json: { name: 'Mine' } })).body.error?.errors[0]?.reason).toBe(
    'insufficientFilePermissions',
  );
  await share('writer');
  expect((await grace('PATCH', `${files}/${id}`, { json: { name: 'Ours' } })).status).toBe(200);
  expect((await ada('GET', `${files}/${id}/permissions`)).body.permissions).toHaveLength(2);
  expect(google.ledger.shares()).toMatchObject([
    { role: 'reader', to: `grace${count}@example.com` },
    { role: 'writer' },
  ]);
});

test('a token with access to its own files sees no others', async () => {
  const own = createApiClient(google, who, ['https://www.googleapis.com/auth/drive.file']);
  google.seedFile(who, { name: 'Foreign', mimeType: 'text/plain' });
  await own('POST', files, { json: { name: 'Own' } });
  expect(listNames((await own('GET', files)).body)).toEqual(['Own']);
  expect(listNames((await ada('GET', files)).body)).toHaveLength(2);
});
