import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isDeep } from '../../../tests/support/depth.ts';
import { buildArchive, buildLine, importText } from '../../../tests/support/archive-text.ts';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import { addPageWithFiles } from '../../../tests/support/page-files.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

const run = promisify(execFile);
const main = join(import.meta.dirname, '../../../cli/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'archives-'));

let from: TestServer;
let to: TestServer;
beforeAll(async () => {
  [from, to] = await Promise.all([startTestServer(), startTestServer()]);
});
afterAll(async () => {
  await Promise.all([from.close(), to.close()]);
  rmSync(folder, { recursive: true });
});

const buildPath = (name: string) => join(folder, name);

function runThalamus(server: TestServer, ...words: string[]) {
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    THALAMUS_URL: server.url,
    THALAMUS_KEY: server.key,
  };
  return run(process.execPath, [main, ...words], { env });
}

/** Longer than one part of an archive, and with few words, so that it is read quickly. */
const longText = Array.from(
  { length: 3_000 },
  (_, n) => `Row ${n}: the regret of arm ${n % 7} \u2028 is 0.${n}. ${'='.repeat(450)}`,
).join('\n');

async function fetchContent(server: TestServer, documentId: unknown): Promise<Response> {
  return server.request(`/v1/documents/${String(documentId)}/content`, {
    headers: { authorization: `Bearer ${server.key}` },
  });
}

/** Brains with everything that an archive can contain. Returns the id of the upper one. */
async function fill(server: TestServer): Promise<string> {
  const upper = String((await server.ok('create_brain', { name: 'Research', description: 'Bandits' })).brain_id);
  const lower = String((await server.ok('create_brain', { name: 'Papers', parent_brain_id: upper })).brain_id);
  const knowledge = { brain_id: upper, section: 'style', content: 'Cite sources.' };
  await server.ok('add_core_knowledge', knowledge);
  await server.ok('add_core_knowledge', { ...knowledge, content: 'Cite sources with a page.' });
  const first = await server.ok('add_memory', {
    content: 'We decided to use epsilon-greedy exploration.',
    target_brain_id: upper,
    type: 'decision',
    triggers: [{ condition: 'working on bandits', reason: 'It was decided' }],
  });
  const second = await server.ok('add_memory', {
    content: 'We switched to UCB. Line separators \u2028 and "quotes" stay, 数 too.',
    target_brain_id: lower,
    type: 'decision',
    occurred_at: '2024-02-29T12:00:00+02:00',
    author: 'Ada',
    thread_id: 'thread-1',
  });
  await server.ok('archive_memory', { id: first.id, reason: 'We switched', superseded_by: second.id });
  await server.ok('update_memory', { id: second.id, content: 'We switched to UCB1.', reason: 'The exact name' });
  await addDismissed(server, lower);
  const frontmatter = { year: 2002, 10: 'a', 9: [1.5, null, { deep: true }] };
  const page = { brain_id: lower, type: 'paper', title: 'Finite-time analysis', body: '# UCB1', frontmatter };
  const { id } = await server.ok('create_page', page);
  await server.ok('update_page', { id, body: '# UCB1 and UCB2' });
  const { board_id } = await server.ok('create_board', {
    name: 'Runs',
    brain_id: upper,
    datasets: { default: { columns: [{ name: 'regret', type: 'number' }], rows: [{ regret: 0.1 }] } },
  });
  await server.ok('append_board_rows', { board_id, rows: [{ regret: 1e21 }, { regret: -0.000001 }] });
  const target = { kind: 'github', ref: { owner: 'ssvlabs', repo: 'brains' }, display_name: 'Pull requests' };
  const { id: link_id } = await server.ok('create_board_link', { board_id, ...target });
  const filled = { dataset_name: 'prs', adapter_op: 'github.list_open_prs', dedupe_key_field: 'id' };
  await server.ok('create_dataset_recipe', { link_id, ...filled });
  const kpis = [
    { name: 'Runs', query: { board_id } },
    { name: 'Papers', value: 2.5, target: 4 },
  ];
  const deadlines = [{ name: 'Submission', due: '2027-01-31' }];
  await server.ok('create_workflow', { brain_id: upper, title: 'Paper', charter: 'Publish it.', kpis, deadlines });
  const { document_id } = await server.ok('upload_document', { brain_id: lower, title: 'Tables', content: longText });
  await server.ok('upload_document', { brain_id: upper, filename: 'gone.md', title: 'Gone', file_base64: 'SGVsbG8=' });
  const { documents } = await server.ok('list_documents', { brain_id: upper });
  await server.ok('delete_document', { document_id: documents[0]?.id });
  await server.ok('read_document', { document_id, line_start: 1, line_end: 2 });
  await addSkills(server, upper, lower);
  await server.ok('import_training_data', { title: 'Playbook', content: trainingPairs, brain_id: lower });
  await captureTurn(server, lower, 'Which arm is best?');
  return upper;
}

const trainingPairs = [
  {
    messages: [
      { role: 'user', content: 'Who signs?' },
      { role: 'assistant', content: 'The lead.' },
    ],
  },
  { prompt: 'Who pays?', chosen: 'The buyer.', rejected: 'Nobody.' },
]
  .map((pair) => JSON.stringify(pair))
  .join('\n');

/** One skill with a history, on both brains, and one of the lower brain that is turned off. */
async function addSkills(server: TestServer, upper: string, lower: string) {
  const { skill_id } = await server.ok('create_skill', { name: `Review ${upper}`, content: 'Name the risk.' });
  await server.ok('skills', { action: 'save', skill_id, content: 'Name the risk first.' });
  const { skill_id: off } = await server.ok('create_skill', { name: `Cite ${upper}`, content: 'Cite pages.' });
  for (const brain_id of [upper, lower]) await server.ok('assign_skill', { skill_id, brain_id });
  await server.ok('assign_skill', { skill_id: off, brain_id: lower, is_enabled: false });
}

/** Two memories that were marked as both true, and two that were marked as no duplicates. */
async function addDismissed(server: TestServer, target_brain_id: string) {
  const add = async (content: string) => String((await server.ok('add_memory', { content, target_brain_id })).id);
  const [few, many] = [await add('The review takes 5 days'), await add('The review takes 14 days')];
  await server.ok('dismiss_contradiction', { memory_id: many, conflicts_with: few, with_kind: true });
  const [one, same] = [await add('The lab opens on Tuesday'), await add('the lab opens on Tuesday!')];
  await server.ok('dismiss_duplicate', { memory_id: same, duplicate_of: one });
}

/** A turn of a conversation that is captured in a brain. */
async function captureTurn(server: TestServer, brainId: string, content: string) {
  const scopes = ['sessions:capture', 'pages:write', 'pages:read', 'brains:read'];
  const { key } = await server.ok('create_key', { label: 'Claude Code', scopes, home_brain_id: brainId });
  return server.ok('ingest_chat_turn', { session_id: 's-1', role: 'user', content }, { key: String(key) });
}

async function listPages(server: TestServer, brain: string): Promise<string[]> {
  const { lines } = await server.ok('export_brain', { brain_id: brain, form: 'archive' });
  return (lines as { kind: string }[]).map(({ kind }) => kind);
}

test('brains exported, imported into a fresh server and exported again give the same bytes', async () => {
  const upper = await fill(from);
  await runThalamus(from, 'export', buildPath('one'), '--brain', upper);
  const { stdout, stderr } = await runThalamus(to, 'import', buildPath('one'));
  const [imported = '', lower = ''] = stdout.trim().split('\n');
  expect(stderr).toContain('2 brains, 2 of core knowledge, 3 skill versions, 3 skill assignments, 6 memories');
  await runThalamus(to, 'export', buildPath('two'), '--brain', imported);
  expect(readFileSync(buildPath('two'), 'utf8')).toBe(readFileSync(buildPath('one'), 'utf8'));
  expect(await listPages(to, lower)).toEqual(
    expect.arrayContaining(['memory', 'memory_version', 'page', 'page_version']),
  );

  const found = await to.ok('search_memory', { q: 'UCB1', brain_id: lower });
  expect(found.memories).toMatchObject([{ content: 'We switched to UCB1.', author: 'Ada' }]);
  const { documents } = await to.ok('list_documents', { brain_id: lower });
  expect(documents).toMatchObject([{ title: 'Playbook' }, { title: 'Tables' }]);
  expect(await (await fetchContent(to, documents[1]?.id)).text()).toBe(longText);
  const hits = await to.ok('search_memory', { q: 'regret of arm', brain_id: lower, type: 'document_constellation' });
  expect(hits.memories).not.toEqual([]);
  expect(await to.ok('training_status', { brain_id: lower })).toMatchObject({
    pairs: { imported_sft: 1, imported_dpo: 1 },
  });
  const { skills } = await to.ok('skills', { action: 'list', brain_id: lower });
  expect(skills).toMatchObject([{ name: `Review ${upper}`, version: 2 }]);
  const chats = async () => (await to.ok('query', { type: 'chat_session', brain_id: lower })).pages;
  const [page] = await chats();
  expect(await captureTurn(to, lower, 'And the worst?')).toMatchObject({ turns: 2, page_id: page?.id });
  expect(await chats()).toHaveLength(1);
  const twice = await runThalamus(to, 'import', buildPath('one'));
  expect(twice.stderr).toContain('was already imported here');
});

test.runIf(isDeep)(
  'a whole workspace, with the personal brain, moves to a fresh server with the same bytes',
  async () => {
    const fresh = await startTestServer();
    try {
      await from.ok('add_memory', { content: 'I prefer tea in the morning.' });
      await runThalamus(from, 'export', buildPath('all'));
      await runThalamus(fresh, 'import', buildPath('all'));
      await runThalamus(fresh, 'export', buildPath('all again'));
      expect(readFileSync(buildPath('all again'), 'utf8')).toBe(readFileSync(buildPath('all'), 'utf8'));
      const { brains } = await fresh.ok('list_brains');
      expect(brains.filter(({ is_personal }) => is_personal)).toMatchObject([{ memory_count: 1 }]);
    } finally {
      await fresh.close();
    }
  },
);

test('a brain can be imported beside the original, and both exports are equal', async () => {
  const upper = await fill(from);
  await runThalamus(from, 'export', buildPath('three'), '--brain', upper);
  const { stdout } = await runThalamus(from, 'import', buildPath('three'));
  await runThalamus(from, 'export', buildPath('four'), '--brain', stdout.split('\n')[0] ?? '');
  expect(readFileSync(buildPath('four'), 'utf8')).toBe(readFileSync(buildPath('three'), 'utf8'));
});

test('an imported skill changes no skill of the same name, and an equal one is used', async () => {
  const { skill_id } = await to.ok('create_skill', { name: 'Tone', content: 'Be kind.' });
  const version = { name: 'Tone', version: 1, content: 'Be kind.', saved_by_label: 'Ada', created_at: time };
  const assignment = buildLine({ name: 'Tone', is_enabled: true, created_at: time }, 'skill_assignment');
  const assigned = async (...items: object[]) => {
    const { body } = await importText(to, buildArchive(items));
    const { skills } = await to.ok('skills', { action: 'list', brain_id: (body['brain_ids'] as string[])[0] });
    return skills;
  };
  expect(await assigned(buildLine(version, 'skill_version'), assignment)).toMatchObject([{ skill_id, name: 'Tone' }]);
  const other = buildLine({ ...version, content: 'Be harsh.' }, 'skill_version');
  expect(await assigned(other, assignment)).toMatchObject([{ name: 'Tone (2)' }]);
  expect(await assigned(other, assignment, buildLine(memory))).toMatchObject([{ name: 'Tone (2)' }]);
  expect(await to.ok('skills', { action: 'load', skill_id })).toMatchObject({ skill: { content: 'Be kind.' } });
  const lost = await importText(to, buildArchive([assignment]));
  expect(lost).toMatchObject({ status: 422, body: { detail: expect.stringContaining('not in it') } });
});

const time = '2026-01-01T00:00:00Z';
const id = '019b0000-0000-7000-8000-000000000001';
const link = { origin: 'stated', reason: null, created_at: time, relationship_type: 'relates_to' };
const memory = {
  id,
  content: 'Something',
  type: 'fact',
  salience: 'normal',
  topics: [],
  triggers: [],
  session_id: null,
  thread_id: null,
  author: null,
  role: null,
  occurred_at: time,
  source: null,
  source_id: null,
  stored_by_label: 'somebody',
  created_at: time,
  archived_at: null,
  archive_reason: null,
  superseded_by: null,
};
const buildNested = (depth: number): unknown => (depth ? [buildNested(depth - 1)] : 1);

test.for([
  ['has another version', [], { format: 'thalamus-archive', version: 9 }, 'Line 1: the archive has version 9'],
  ['is not an archive', [], { hello: 1 }, 'Line 1: is not the header'],
  ['holds an unknown kind', [buildLine({}, 'virus')], undefined, 'Line 3: there is no kind "virus"'],
  ['holds unknown fields', [buildLine({ ...memory, workspace_id: id })], undefined, 'Line 3: '],
  ['is nested too deeply', [buildLine({ ...memory, topics: buildNested(200) })], undefined, 'nested too deeply'],
  [
    'holds a line that is too long',
    [buildLine({ ...memory, content: 'a'.repeat(3_000_000) })],
    undefined,
    'is longer than',
  ],
  ['holds NUL', [buildLine({ ...memory, content: 'a\0' })], undefined, 'NUL'],
  ['holds an id twice', [buildLine(memory), buildLine(memory)], undefined, 'the same id'],
  ['names a brain that it lacks', [buildLine(memory, 'memory', 7)], undefined, 'has no line for'],
  [
    'links to nothing',
    [buildLine(memory), buildLine({ ...link, source_memory_id: id, target_memory_id: id.replace(/1$/, '2') }, 'link')],
    undefined,
    'not in it',
  ],
] as const)('an archive that %s is refused, and nothing is stored', async ([, items, header, message]) => {
  const before = await to.ok('list_brains');
  const { status, body } = await importText(to, buildArchive(items, header));
  expect([status, body['detail']]).toEqual([422, expect.stringContaining(message)]);
  expect(await to.ok('list_brains')).toEqual(before);
});

test('an archive with the id of an existing memory does not change that memory', async () => {
  const { id: known } = await to.ok('add_memory', { content: 'The vault code is under the mat.' });
  const theirs = { ...memory, id: known, content: 'Overwritten' };
  const points = { ...memory, superseded_by: known };
  expect(await importText(to, buildArchive([buildLine(points)]))).toMatchObject({ status: 422 });
  expect(await importText(to, buildArchive([buildLine(theirs)]))).toMatchObject({ status: 200 });
  expect(await to.ok('get_memory', { id: known })).toMatchObject({
    memory: { content: 'The vault code is under the mat.' },
  });
});

test('an archive that names the hash of a document without its original does not give access to the original', async () => {
  const content = 'The salary list of everybody.';
  await to.ok('upload_document', { title: 'Salaries', content });
  const sha256 = createHash('sha256').update(content).digest('hex');
  const about = {
    filename: null,
    mime_type: 'text/plain',
    format: 'text',
    size: 29,
    characters: 29,
    lines: 1,
    passages: 0,
  };
  const more = { pages: null, reference_count: 0, weight: 1, created_by: 'somebody', created_at: time };
  const document = { id, title: 'Mine', sha256: `\\x${sha256}`, ...about, ...more };
  const { body } = await importText(to, buildArchive([buildLine(document, 'document')]));
  const { documents } = await to.ok('list_documents', { brain_id: String((body['brain_ids'] as string[])[0]) });
  expect((await fetchContent(to, documents[0]?.id)).status).toBe(404);
  // A wrong size would end the answer early, and the rest would count as the connection's next answer.
  const whole = { sha256, size: 29, part: 1, base64: Buffer.from(content).toString('base64') };
  const short = buildArchive([buildLine({ ...document, size: 3 }, 'document'), buildLine(whole, 'document_original')]);
  const [brain_id] = (await importText(to, short)).body['brain_ids'] as string[];
  const [stored] = (await to.ok('list_documents', { brain_id: String(brain_id) })).documents;
  const answer = await fetchContent(to, stored?.id);
  expect([answer.headers.get('content-length'), await answer.text()]).toEqual(['29', content]);
  const original = { sha256, size: 14, part: 1, base64: Buffer.from('Something else').toString('base64') };
  const forged = buildArchive([buildLine(document, 'document'), buildLine(original, 'document_original')]);
  expect(await importText(to, forged)).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('altered') },
  });
  const huge = buildArchive([buildLine({ ...document, size: 1e14 }, 'document')]);
  expect(await importText(to, huge)).toMatchObject({ status: 422, body: { detail: expect.stringContaining('size') } });
});

test('an original is counted by its actual bytes, and one of a refused archive is marked for removal', async () => {
  const findOriginal = (content: string, more: object = {}) => {
    const bytes = Buffer.from(content);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { sha256, size: bytes.length, part: 1, base64: bytes.toString('base64'), ...more };
  };
  const refuse = async (...originals: object[]) =>
    expect(
      await importText(to, buildArchive(originals.map((each) => buildLine(each, 'document_original')))),
    ).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('altered') },
    });
  await refuse(findOriginal('It says that it is empty.', { size: 0 }));
  await refuse(findOriginal('Twice'), findOriginal('Twice'));
  const good = findOriginal('An original that nothing refers to.');
  await refuse(good, findOriginal('Altered', { sha256: 'f'.repeat(64) }));
  const database = await openAsOwner(to.connectionString);
  const noted = await database.rows(
    `select encode(sha256, 'hex') as sha256 from blobs where sha256 = decode($1, 'hex')`,
    [good.sha256],
  );
  await database.close();
  expect(noted).toEqual([{ sha256: good.sha256 }]);
});

/** The archive of one brain, in pages of a few lines each. */
async function exportText(server: TestServer, brainId: unknown): Promise<string> {
  const lines: unknown[] = [{ format: 'thalamus-archive', version: 1 }];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await server.ok('export_brain', { brain_id: brainId, form: 'archive', ...(cursor && { cursor }) });
    lines.push(...page.lines);
    cursor = page.next_cursor;
  }
  return [...lines, { end: true, lines: lines.length + 1 }].map((each) => `${JSON.stringify(each)}\n`).join('');
}

test('files of pages move with their bytes and words, and a second export gives the same bytes', async () => {
  const { brain_id } = await from.ok('create_brain', { name: 'Mails' });
  const large = Buffer.alloc(2_000_001, 'amethyst ');
  const files = { 'empty.txt': Buffer.alloc(0), 'large.txt': large, 'small.txt': Buffer.from('chrysoprase') };
  await addPageWithFiles(from, brain_id, { title: 'Stones', files: { ...files, 'later.txt': null } });
  await addPageWithFiles(from, brain_id, { title: 'Stones again', files: { 'copy.txt': large } });
  const text = await exportText(from, brain_id);
  expect(text).not.toContain('secret-handle');
  const { body } = await importText(to, text);
  expect(body['stored']).toMatchObject({ page: 2, attachment: 5, attachment_content: 3 });
  const [imported] = body['brain_ids'] as string[];
  expect(await exportText(to, imported)).toBe(text);

  const { pages: found } = await to.ok('search', { q: 'chrysoprase' });
  expect(found).toMatchObject([{ title: 'Stones', found_in: [{ filename: 'small.txt' }] }]);
  const { attachments } = await to.ok('get_page', { slug: found[0]?.slug });
  expect(attachments).toMatchObject([
    { filename: 'empty.txt', state: 'stored' },
    { filename: 'large.txt', state: 'stored' },
    { filename: 'small.txt', state: 'stored' },
    { filename: 'later.txt', state: 'failed', reason: expect.stringContaining('Sync the page again') },
  ]);
  const authorization = { headers: { authorization: `Bearer ${to.key}` } };
  const response = await to.request(`/v1/attachments/${attachments[1]?.attachment_id}/content`, authorization);
  expect(Buffer.from(await response.arrayBuffer()).equals(large)).toBe(true);

  const lines = text.trimEnd().split('\n');
  const isContent = (each: string) => each.includes('"attachment_content"');
  const without = (leftOut: (each: string) => boolean) => {
    const kept = lines.slice(0, -1).filter((each) => !leftOut(each));
    return `${kept.join('\n')}\n${JSON.stringify({ end: true, lines: kept.length + 1 })}\n`;
  };
  const last = lines.findLast(isContent);
  const torn = await importText(
    to,
    without((each) => isContent(each) && each !== last && each.includes('"part":1,')),
  );
  expect(torn).toMatchObject({ status: 422, body: { detail: expect.stringContaining('altered') } });
  const named = await importText(to, without(isContent));
  const again = await exportText(to, (named.body['brain_ids'] as string[])[0]);
  expect(again).not.toMatch(/"state":"stored"|chrysoprase/);
});

test('an interrupted import continues where it stopped, and lines sent out of order are refused', async () => {
  const text = buildArchive(
    Array.from({ length: 20 }, (_, n) => buildLine({ ...memory, id: id.replace(/01$/, String(10 + n)) })),
  );
  const lines = text.trimEnd().split('\n');
  writeFileSync(buildPath('stopped'), text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const { import_id } = await to.ok('start_import', { sha256, lines: lines.length });
  const half = { import_id, first_line: 1, lines: `${lines.slice(0, 10).join('\n')}\n` };
  await to.ok('add_import_lines', half);
  expect(await to.call('add_import_lines', half)).toMatchObject({ status: 409 });
  expect(await to.call('finish_import', { import_id })).toMatchObject({ status: 409 });
  const { stderr } = await runThalamus(to, 'import', buildPath('stopped'));
  expect(stderr).toContain('Continuing at line 11');
  expect(stderr).toContain('20 memories');
});

test('an interrupted export continues where it stopped', async () => {
  const { brain_id } = await from.ok('create_brain', { name: 'Long' });
  const memories = Array.from({ length: 100 }, (_, n) => ({ content: `Note ${n}` }));
  await from.ok('add_memories_bulk', { memories, target_brain_id: brain_id });
  await runThalamus(from, 'export', buildPath('whole'), '--brain', String(brain_id));
  const whole = readFileSync(buildPath('whole'), 'utf8');
  const head = whole.split('\n').slice(0, 1).join('\n');
  writeFileSync(buildPath('part.part'), `${head}\nhalf a li`);
  const place = { brain_ids: [brain_id], brain: 0, cursor: null, bytes: head.length + 1, lines: 1 };
  writeFileSync(buildPath('part.part.json'), JSON.stringify(place));
  await runThalamus(from, 'export', buildPath('part'), '--brain', String(brain_id));
  expect(readFileSync(buildPath('part'), 'utf8')).toBe(whole);
});

test('a key of an agent cannot import, and a person does not reach the import of another', async () => {
  const { key } = await to.ok('create_key', { label: 'agent', reach: 'brain' });
  const text = buildArchive([buildLine(memory)]);
  expect(await importText(to, text, String(key))).toMatchObject({ status: 403 });
  const { import_id } = await to.ok('start_import', { sha256: 'a'.repeat(64), lines: 4 });
  const database = await openAsOwner(to.connectionString);
  const other = await addPerson(database);
  await database.close();
  const lines = { import_id, first_line: 1, lines: text };
  expect(await to.call('add_import_lines', lines, { key: other.key })).toMatchObject({ status: 404 });
});
