import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, startServerWithGoogle } from '../../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import type { TestServer } from '../../../../tests/support/server.ts';

let server: TestServer;
let google: GoogleEmulator;
let database: OwnerDatabase;
let close: () => Promise<void>;
let agentKey: string;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  database = await openAsOwner(server.connectionString);
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  await linkGoogle(server, google);
  agentKey = String((await server.ok('create_key', { label: 'Agent' }))['key']);
});
afterAll(async () => {
  await database.close();
  await close();
});
beforeEach(() => google.ledger.clear());

const buildMail = (subject: string) => ({ to: ['noah@example.com'], subject, body: 'Which day works?' });

async function createMailDraft(subject: string): Promise<string> {
  const request = { source: 'gmail', action_name: 'send_email', input: buildMail(subject) };
  return String((await server.ok('act_on_integration', request, { key: agentKey }))['draft_id']);
}

const read = (draft_id: string) => server.ok('get_action', { draft_id });
const edit = (draft_id: string, edits: object, more: object = {}) =>
  server.ok('edit_action', { draft_id, edits, ...more });

/** The last sent mail, as its provider received it. */
const findSentBody = () => JSON.stringify(google.ledger.sent().at(-1));

test('edits are kept with the draft: lists show them, and a batch sends them', async () => {
  const ids = [await createMailDraft('Kept 1'), await createMailDraft('Kept 2')];
  const [first = '', second = ''] = ids;
  const edited = await edit(first, { subject: 'Kept, edited' });
  expect(edited).toMatchObject({
    status: 'pending',
    payload: { ...buildMail('Kept, edited') },
    edited: { by: expect.any(String), was: { subject: 'Kept 1' } },
  });
  expect(JSON.stringify(edited['preview'])).toContain('Kept, edited');
  const { drafts } = await server.ok('list_pending_actions', {}, { key: agentKey });
  expect(drafts.find(({ draft_id }) => draft_id === first)?.edited).not.toBeNull();
  const content_hashes = [edited.content_hash, (await read(second)).content_hash];
  const { results } = await server.ok('confirm_actions', { draft_ids: ids, content_hashes });
  expect(results).toMatchObject([{ status: 'confirmed' }, { status: 'confirmed' }]);
  expect(google.ledger.sent().map(({ subject }) => subject)).toEqual(['Kept, edited', 'Kept 2']);
});

test('each edit has a ledger row with its author, the former value and the new value', async () => {
  const id = await createMailDraft('Ledger');
  const once = await edit(id, { subject: 'Ledger 1' });
  await edit(id, { body: 'Friday?' }, { content_hash: once.content_hash });
  const rows = (await read(id))['ledger'] as { step: string; detail: object }[];
  expect(rows.map(({ step }) => step)).toEqual(['drafted', 'edited', 'edited']);
  expect(rows[1]?.detail).toMatchObject({
    by: expect.any(String),
    caller_kind: 'key',
    fields: ['subject'],
    was: { subject: 'Ledger' },
    became: { subject: 'Ledger 1' },
  });
  expect(rows[2]?.detail).toMatchObject({ fields: ['body'], became: { body: 'Friday?' } });
  expect((await server.ok('verify_ledger'))['is_whole'] ?? true).toBe(true);
});

test('an edited draft is not approved by a caller who saw it before the edit', async () => {
  const id = await createMailDraft('Stale view');
  const { content_hash: before } = await read(id);
  const after = await edit(id, { body: 'Monday.' });
  for (const seen of [{}, { content_hash: before }]) {
    const { status, body } = await server.call('confirm_action', { draft_id: id, ...seen });
    expect(status).toBe(409);
    expect(body['detail']).toMatch(/edited this draft after it was drafted or shown to you\. Nothing was sent\./);
    expect(await server.call('edit_action', { draft_id: id, edits: { body: 'x' }, ...seen })).toMatchObject({
      status: 409,
    });
  }
  const content_hashes = [before];
  expect(await server.ok('confirm_actions', { draft_ids: [id], content_hashes })).toMatchObject({
    results: [{ status: 'failed', error: expect.stringContaining('Read it again') }],
  });
  expect(google.ledger.sent()).toEqual([]);
  expect(await read(id)).toMatchObject({ status: 'pending' });
  const confirmed = await server.ok('confirm_action', { draft_id: id, content_hash: after.content_hash });
  expect(confirmed).toMatchObject({ status: 'confirmed' });
  expect(findSentBody()).toContain('Stale view');
});

test('a late approval of content other than the sent content gets an error', async () => {
  const id = await createMailDraft('Late yes');
  const { content_hash: before } = await read(id);
  const after = await edit(id, { body: 'Tuesday.' });
  await server.ok('confirm_action', { draft_id: id, content_hash: after.content_hash });
  const late = await server.call('confirm_action', { draft_id: id, content_hash: before });
  expect(late).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('Your approval changed nothing') },
  });
  const again = await server.ok('confirm_action', { draft_id: id, content_hash: after.content_hash });
  expect(again).toMatchObject({ status: 'confirmed' });
});

test('fewer than 32 digits of a content hash are refused', async () => {
  const id = await createMailDraft('Few digits');
  const { content_hash } = await read(id);
  const confirm = (digits: number) =>
    server.call('confirm_action', { draft_id: id, content_hash: String(content_hash).slice(0, digits) });
  expect((await confirm(16)).status).toBe(422);
  expect((await confirm(32)).status).toBe(200);
});

test('an unedited draft is approved without its hash, and refused with a wrong one', async () => {
  const id = await createMailDraft('Untouched');
  const wrong = await server.call('confirm_action', { draft_id: id, content_hash: 'f'.repeat(64) });
  expect(wrong.status).toBe(409);
  expect(await server.ok('confirm_action', { draft_id: id })).toMatchObject({ status: 'confirmed' });
});

test('an edited draft can be reset to its first content and approved as that', async () => {
  const id = await createMailDraft('Restore');
  const drafted = await read(id);
  const { content_hash } = await edit(id, { subject: 'Other', body: 'Other.' });
  const restored = await server.ok('edit_action', { draft_id: id, restore: true, content_hash });
  expect(restored).toMatchObject({ payload: drafted.payload, edited: null, content_hash: drafted.content_hash });
  const seen = { draft_id: id, content_hash: drafted.content_hash };
  expect(await server.ok('confirm_action', seen)).toMatchObject({ status: 'confirmed' });
  expect(google.ledger.sent().at(-1)).toMatchObject({ subject: 'Restore' });
});

test('an agent that repeats its request gets the edited draft, not a second one', async () => {
  const id = await createMailDraft('Again');
  await edit(id, { subject: 'Again, edited' });
  expect(await createMailDraft('Again')).toBe(id);
  expect(await read(id)).toMatchObject({ payload: { subject: 'Again, edited' } });
});

test('an agent key cannot edit a draft, and fields that are not editable are refused', async () => {
  const id = await createMailDraft('Not yours');
  const before = await read(id);
  const denied = await server.call('edit_action', { draft_id: id, edits: { body: 'x' } }, { key: agentKey });
  expect(denied.body).toMatchObject({ code: 'approval_required' });
  for (const edits of [{ thread_id: 'abc' }, { to: [] }, { to: 'x' }])
    expect((await server.call('edit_action', { draft_id: id, edits })).status).toBe(422);
  expect((await server.call('edit_action', { draft_id: id })).status).toBe(422);
  expect(await read(id)).toEqual(before);
});

test('a draft that was decided or has expired cannot be edited', async () => {
  const [declined, late] = [await createMailDraft('Declined'), await createMailDraft('Late')];
  await server.ok('discard_action', { draft_id: declined });
  await database.rows(`update drafts set expires_at = now() - interval '1 second' where id = $1`, [late]);
  for (const draft_id of [declined, late]) {
    const { status, body } = await server.call('edit_action', { draft_id, edits: { body: 'x' } });
    expect([status, body['detail']]).toEqual([409, expect.stringContaining('Nothing was sent')]);
  }
});

test('an edit does not make a payload valid that was changed in the database', async () => {
  const id = await createMailDraft('Tampered');
  await database.rows(`update drafts set payload = jsonb_set(payload, '{to}', '["eve@elsewhere.org"]') where id = $1`, [
    id,
  ]);
  const edits = { subject: 'Looks fine' };
  expect((await server.call('edit_action', { draft_id: id, edits })).status).toBe(409);
  expect((await server.call('confirm_action', { draft_id: id, edits })).status).toBe(409);
  expect(google.ledger.sent()).toEqual([]);
});

test('an edited draft waits although the policy allows it, also when the request is repeated', async () => {
  const id = await createMailDraft('Ours');
  const { version } = await server.ok('get_policy');
  const rules = [{ effect: 'allow', every_recipient: '*@ours.example' }];
  await server.ok('set_policy', { version, rules });
  await edit(id, { to: ['ana@ours.example'] });
  expect(await createMailDraft('Ours')).toBe(id);
  expect(await read(id)).toMatchObject({ status: 'pending' });
  expect(google.ledger.sent()).toEqual([]);
  await server.ok('set_policy', { version: Number(version) + 1, rules: [] });
});

test('the rules of a key apply to its edits, not only to its drafts', async () => {
  const scopes = ['actions:read', 'actions:draft', 'actions:confirm', 'integrations:read', 'connections:read'];
  const rules = [{ effect: 'block', any_recipient: '*@evil.example' }];
  const { key } = await server.ok('create_key', { label: 'Narrow', scopes, rules });
  const draft_id = await createMailDraft('Own rules');
  const edited = await server.call('edit_action', { draft_id, edits: { to: ['a@evil.example'] } }, { key });
  expect(edited).toMatchObject({ status: 403, body: { detail: expect.stringContaining('rules of this agent') } });
  expect((await read(draft_id)).edited).toBeNull();
});

test('a caller without a content hash cannot approve an edited draft, even if it equals the original again', async () => {
  const draft_id = await createMailDraft('Original');
  const { content_hash } = await edit(draft_id, { subject: 'Corrected' });
  await server.ok('edit_action', { draft_id, restore: true, content_hash });
  expect(await server.call('confirm_action', { draft_id })).toMatchObject({ status: 409 });
  expect(google.ledger.sent()).toEqual([]);
});
