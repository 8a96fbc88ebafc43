import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { act, createActionDraft, waitForOutcome } from '../../support/acting.ts';
import { linkGoogle, signIn, startServerWithGoogle } from '../../support/google.ts';
import { connectMcp } from '../../support/mcp-client.ts';
import { openAsOwner, type OwnerDatabase } from '../../support/owner-database.ts';
import { addPerson } from '../../support/second-person.ts';
import type { TestServer } from '../../support/server.ts';

const ada = 'ada@example.com';
const pdf = Buffer.from('%PDF-1.7 größer \u0000\u0001\u00ff', 'utf8');
const hashBytes = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

let server: TestServer;
let google: GoogleEmulator;
let database: OwnerDatabase;
let close: () => Promise<void>;
beforeAll(async () => {
  const times = { THALAMUS_SEND_TIMEOUT_SECONDS: '20', THALAMUS_SETTLE_AFTER_SECONDS: '0.4' };
  ({ server, google, close } = await startServerWithGoogle(times));
  google.addAccount({ email: ada, name: 'Ada' });
  await linkGoogle(server, google, { sources: ['gmail', 'calendar'] });
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await close();
});
afterEach(() => google.failures.clear());

const buildAttachment = (filename: string, bytes: Buffer, mime_type?: string) => ({
  filename,
  content_base64: bytes.toString('base64'),
  ...(mime_type && { mime_type }),
});
const buildMailRequest = (subject: string, more: object = {}) => ({
  source: 'gmail',
  action_name: 'send_email',
  input: { to: ['grace@example.net'], subject, body: 'Here it is.' },
  ...more,
});
const offer = [
  buildAttachment('Angebot größer.pdf', pdf, 'application/pdf'),
  buildAttachment('notes.txt', Buffer.from('Oil.')),
];
const listSentMails = (subject: string) => google.ledger.sent().filter((each) => each.subject === subject);
const countRetainedFiles = async (draftId: string) =>
  (await database.rows('select filename from held_files where holder_id = $1', [draftId])).length;
const save = (draftId: string, position: number, headers: Record<string, string>) =>
  server.request(`/v1/actions/${draftId}/files/${position}/content`, { headers });

/** A mail with two files is read in, and its page told. */
async function createPageWithFiles(subject: string): Promise<string> {
  google.seedMail(ada, {
    from: 'noah@example.net',
    subject,
    text: 'See the files.',
    attachments: [
      { filename: 'plan.pdf', mimeType: 'application/pdf', content: pdf },
      { filename: 'list.txt', mimeType: 'text/plain', content: 'One, two.' },
    ],
  } as never);
  await server.ok('fetch_from_integration', { source: 'gmail', request: `subject:"${subject}"` });
  const { pages } = (await server.ok('list_pages', { type: 'email' })) as { pages: { slug: string; title: string }[] };
  return pages.find(({ title }) => title === subject)!.slug;
}

test('files are shown with their sizes, opened while the draft waits, and sent unchanged', async () => {
  const id = await createActionDraft(server, buildMailRequest('Offer', { attachments: offer }));
  const action = await server.ok('get_action', { draft_id: id });
  expect(action).toMatchObject({
    preview: {
      fields: expect.arrayContaining([
        {
          label: 'Attachments',
          text: `Angebot größer.pdf (${pdf.length} bytes, application/pdf)\nnotes.txt (4 bytes, application/octet-stream)`,
        },
      ]),
    },
    payload: {
      attachments: [
        { filename: 'Angebot größer.pdf', mime_type: 'application/pdf', size: pdf.length, sha256: hashBytes(pdf) },
        {
          filename: 'notes.txt',
          mime_type: 'application/octet-stream',
          size: 4,
          sha256: hashBytes(Buffer.from('Oil.')),
        },
      ],
    },
    editable: ['to', 'cc', 'bcc', 'subject', 'body'],
  });
  const { headers } = await signIn(server);
  const opened = await save(id, 0, headers);
  expect(opened.headers.get('content-disposition')).toContain('attachment;');
  expect(Buffer.from(await opened.arrayBuffer())).toEqual(pdf);
  await server.ok('confirm_action', { draft_id: id, edits: { body: 'Here they are.' } });
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'confirmed', ledger_is_whole: true });
  const [one, ...others] = listSentMails('Offer');
  expect(others).toEqual([]);
  expect(one).toMatchObject({
    text: expect.stringContaining('Here they are.'),
    attachments: [
      { filename: 'Angebot größer.pdf', mimeType: 'application/pdf', size: pdf.length },
      { filename: 'notes.txt', size: 4 },
    ],
  });
  expect(one?.raw).toContain(pdf.toString('base64'));
  expect(await countRetainedFiles(id)).toBe(0);
  expect((await save(id, 0, headers)).status).toBe(404);
});

test('the files of a synced mail are forwarded byte for byte', async () => {
  const slug = await createPageWithFiles('Plan for Friday');
  const action = await act(server, buildMailRequest('Sent on', { attach_from_page: slug, attachments: [offer[1]] }));
  expect(action).toMatchObject({ status: 'confirmed' });
  const names = listSentMails('Sent on').map(({ attachments }) =>
    attachments.map(({ filename, size }) => [filename, size]),
  );
  expect(names).toEqual([
    [
      ['notes.txt', 4],
      ['plan.pdf', pdf.length],
      ['list.txt', 9],
    ],
  ]);
  expect(listSentMails('Sent on')[0]?.raw).toContain(pdf.toString('base64'));
});

test('a reply keeps its files and its thread', async () => {
  const [question] = google.seedThread(ada, [{ from: 'grace@example.net', subject: 'Which?', text: 'Which one?' }]);
  const request = buildMailRequest('Re: Which?', { attachments: offer });
  const input = { ...request.input, thread_id: question!.threadId };
  expect(await act(server, { ...request, input })).toMatchObject({
    status: 'confirmed',
    result: { thread_id: question!.threadId },
  });
  expect(listSentMails('Re: Which?')).toMatchObject([{ threadId: question!.threadId, attachments: [{}, {}] }]);
});

test('a mail with files that was cut off after its acceptance is found and not sent again', async () => {
  const id = await createActionDraft(server, buildMailRequest('Cut', { attachments: offer }));
  google.failures.next({ path: /drafts\/send$/ }, { kind: 'cut', when: 'after' });
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'confirmed' });
  expect(listSentMails('Cut')).toHaveLength(1);
});

test('files of discarded or expired drafts are released, those of others are kept', async () => {
  const [discarded, expired, waiting] = await Promise.all(
    ['Discarded', 'Expired', 'Waiting'].map((subject) =>
      createActionDraft(server, buildMailRequest(subject, { attachments: offer })),
    ),
  );
  await server.ok('discard_action', { draft_id: discarded });
  await database.rows(`update drafts set expires_at = now() - interval '1 minute' where id = $1`, [expired]);
  await createActionDraft(server, buildMailRequest('Another'));
  for (const [id, count] of [
    [discarded, 0],
    [expired, 0],
    [waiting, 2],
  ] as const)
    expect(await countRetainedFiles(id!)).toBe(count);
});

test('stored bytes that were changed are not sent', async () => {
  const id = await createActionDraft(
    server,
    buildMailRequest('Changed', { attachments: [buildAttachment('x.txt', Buffer.from('As decided.'))] }),
  );
  const [changed] = await database.rows(
    `update attachment_parts set bytes = 'Something else.' where content_id = (select id from attachment_contents
       where sha256 = (select sha256 from held_files where holder_id = $1)) returning 1 as done`,
    [id],
  );
  expect(changed).toBeDefined();
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('x.txt is not kept'),
  });
  expect(listSentMails('Changed')).toEqual([]);
});

test('only people who see a draft open its files', async () => {
  const id = await createActionDraft(server, buildMailRequest('Private', { attachments: offer }));
  const { key } = await addPerson(database);
  expect((await save(id, 0, { authorization: `Bearer ${key}` })).status).toBe(404);
  expect((await save(id, 0, {})).status).toBe(401);
  expect((await save(id, 7, { authorization: `Bearer ${server.key}` })).status).toBe(404);
});

test('a key that may not read pages cannot send their files', async () => {
  const slug = await createPageWithFiles('Not for everybody');
  const { key } = await server.ok('create_key', { label: 'Drafts only', scopes: ['actions:draft'] });
  const { status, body } = await server.call('act_on_integration', buildMailRequest('No', { attach_from_page: slug }), {
    key: String(key),
  });
  expect({ status, detail: body['detail'] }).toEqual({ status: 403, detail: expect.stringContaining('pages:read') });
});

const createMegabytes = (count: number, letter: string) => Buffer.alloc(count * 1_000_000, letter);

test.each([
  [
    'a file that is too large',
    () => ({
      attachments: [
        buildAttachment('big.bin', createMegabytes(10, 'a').subarray(0), 'a/b'),
        buildAttachment('bigger.bin', Buffer.alloc(10_000_001)),
      ],
    }),
    413,
    /bigger\.bin is 10\.0 MB; a file may have at most 10\.0 MB/,
  ],
  [
    'more than Gmail sends',
    () => ({
      attachments: ['a', 'b', 'c'].map((letter) => buildAttachment(`${letter}.bin`, createMegabytes(9, letter))),
    }),
    422,
    /27\.0 MB together, and Gmail sends at most 25\.0 MB/,
  ],
  ['six files', () => ({ attachments: Array.from({ length: 6 }, () => offer[1]) }), 422, /attachments/],
  [
    'text that is not base64',
    () => ({ attachments: [{ filename: 'x.txt', content_base64: 'Hello there!' }] }),
    422,
    /x\.txt is not valid base64/,
  ],
  ['a name with a folder', () => ({ attachments: [buildAttachment('../x.txt', pdf)] }), 422, /without a folder/],
  ['a page that is not there', () => ({ attach_from_page: 'nowhere' }), 404, /page/],
])('a draft with %s is refused with the reason', async (_, more, expected, says) => {
  const { status, body } = await server.call('act_on_integration', buildMailRequest('Refused', more()));
  expect(status).toBe(expected);
  expect(body['detail']).toMatch(says);
});

test('two files of 10 MB are accepted', async () => {
  const attachments = [
    buildAttachment('one.bin', createMegabytes(10, 'a')),
    buildAttachment('two.bin', createMegabytes(10, 'b')),
  ];
  const action = await act(server, buildMailRequest('Large', { attachments }));
  expect(action).toMatchObject({ status: 'confirmed' });
  expect(listSentMails('Large')).toMatchObject([{ attachments: [{ size: 10_000_000 }, { size: 10_000_000 }] }]);
}, 60_000);

test('MCP accepts files as well, and no long input of other tools', async () => {
  const client = await connectMcp(`${server.url}/mcp`, server.key);
  const attachments = [buildAttachment('mcp.bin', createMegabytes(2, 'm'))];
  const drafted = await client.callTool({
    name: 'act_on_integration',
    arguments: buildMailRequest('Over MCP', { attachments }),
  });
  expect(drafted.structuredContent).toMatchObject({ kind: 'draft' });
  const other = await client.callTool({ name: 'add_memory', arguments: { content: 'x'.repeat(2_000_000) } });
  expect(other).toMatchObject({
    isError: true,
    structuredContent: { code: 'payload_too_large', message: expect.stringContaining('at most 1000000 bytes') },
  });
  await client.close();
});

test('an action without files rejects them, and invented hashes have no effect', async () => {
  const event = { summary: 'X', start: '2026-06-01', end: '2026-06-02' };
  const request = { source: 'calendar', action_name: 'create_event', input: event, attachments: offer };
  const refused = await server.call('act_on_integration', request);
  expect(refused.body['detail']).toContain('create_event (calendar) sends no files');
  const forged = buildMailRequest('Forged');
  const attachments = [{ filename: 'x', mime_type: 'a/b', size: 1, sha256: 'a'.repeat(64) }];
  const { status, body } = await server.call('act_on_integration', {
    ...forged,
    input: { ...forged.input, attachments },
  });
  expect({ status, detail: body['detail'] }).toEqual({
    status: 422,
    detail: expect.stringContaining('pass attachments beside input'),
  });
});

test('a long body is refused by actions without files', async () => {
  const { status, body } = await server.call('add_memory', { content: 'x'.repeat(2_000_000) });
  expect({ status, code: body['code'] }).toEqual({ status: 413, code: 'payload_too_large' });
});
