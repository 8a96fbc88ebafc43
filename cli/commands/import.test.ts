import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import JSZip from 'jszip';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../tests/support/server.ts';

const run = promisify(execFile);
const main = join(import.meta.dirname, '../main.ts');
const folder = mkdtempSync(join(tmpdir(), 'foreign-'));
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Imports a file; returns the new brain and the output. */
async function importFile(name: string, content?: string | Buffer, ...more: string[]) {
  const path = join(folder, name);
  if (content !== undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  const env = { PATH: process.env['PATH'], HOME: folder, THALAMUS_URL: server.url, THALAMUS_KEY: server.key };
  const { stdout, stderr } = await run(process.execPath, [main, 'import', path, ...more], { env });
  return { brain: stdout.trim(), said: stderr };
}

const listBrainPages = async (brain_id: string) => (await server.ok('list_pages', { brain_id })).pages;

test('the file of the MCP memory server becomes memories and links, once', async () => {
  const lines = [
    '{"type":"entity","name":"Ada","entityType":"person","observations":["Likes tea","Works at Analytical"]}',
    '{"type":"entity","name":"Analytical","entityType":"organization","observations":["Builds engines"]}',
    'half a li',
    '{"type":"relation","from":"Ada","to":"Analytical","relationType":"works_at"}',
    '{"type":"relation","from":"Ada","to":"Analytical","relationType":"founded"}',
    '{"type":"relation","from":"Ada","to":"Nobody","relationType":"knows"}',
  ];
  const { brain, said } = await importFile('memory.jsonl', `${lines.join('\n')}\n`);
  expect(said).toMatch(
    /line 3 is neither an entity[^]*line 6 leads from[^]*2 left out[^]*2 memories, 1 link\. See http:\S+\/brains\/[\w-]+\n/,
  );
  const { memories } = await server.ok('search_memory', { q: 'who builds engines', brain_id: brain });
  expect(memories[0]).toMatchObject({ content: 'Analytical (organization)\n- Builds engines' });
  const graph = await server.ok('get_memory_graph', { brain_id: brain });
  expect(JSON.stringify(graph)).toContain('relates_to');
  expect((await importFile('memory.jsonl')).said).toContain('was already imported here');
});

test('memories of mem0 keep their authors, categories and times', async () => {
  const results = [
    {
      id: 'a1',
      memory: 'Arjun prefers morning meetings',
      user_id: 'arjun',
      categories: ['preferences'],
      created_at: '2024-07-20T01:30:36.275141-07:00',
      metadata: { type: 'preference' },
    },
    { id: 'a2', memory: 'Carl leads the API redesign', agent_id: 'bot', categories: null, created_at: null },
    { id: 'a3' },
  ];
  const { brain, said } = await importFile('mem0.json', JSON.stringify({ count: 3, results }));
  expect(said).toMatch(/memory 3 has no text[^]*2 memories/);
  const { memories } = await server.ok('search_memory', { q: 'morning meetings', brain_id: brain });
  expect(memories[0]).toMatchObject({ author: 'arjun', occurred_at: '2024-07-20T08:30:36.275Z' });
});

test('memories that are longer than an agent may write are imported completely, and an error names those that are too long for an archive', async () => {
  const words = (length: number, name: string) =>
    `${name} ${'ledger of tolls '.repeat(30_000)}`.slice(0, length - 1) + '.';
  const [long, longest, tooLong] = [words(32_001, 'Long'), words(400_000, 'Longest'), words(400_001, 'Too')];
  const results = [{ memory: long }, { id: 'a5', memory: longest }, { memory: tooLong }, { memory: 'Short' }];
  const { brain, said } = await importFile('long.json', JSON.stringify({ results }));
  expect(said).toMatch(/Too ledger[^]*is longer than 400000 characters[^]*1 left out[^]*3 memories/);
  expect(said.length).toBeLessThan(1_000);
  const { lines } = await server.ok('export_brain', { brain_id: brain, form: 'archive' });
  const contents = lines.flatMap(({ kind, item }) =>
    kind === 'memory' ? [(item as { content: string }).content] : [],
  );
  expect(contents.toSorted()).toEqual([long, longest, 'Short'].toSorted());

  const entity = (name: string, said: string) => ({ type: 'entity', name, entityType: 'note', observations: [said] });
  const graph = [entity('Long', long), entity('Too', tooLong)].map((each) => JSON.stringify(each)).join('\n');
  const second = await importFile('long.jsonl', graph);
  expect(second.said).toMatch(/^Too is longer than 400000 characters[^]*1 left out[^]*1 memory/);
  const { memories } = await server.ok('list_memories', { brain_id: second.brain });
  expect(memories).toMatchObject([{ content: `Long (note)\n- ${long}` }]);
});

test('an Obsidian vault becomes pages with their properties; files without text are skipped', async () => {
  const note =
    '---\ntags: [ideas, gears]\naliases:\n  - Cogs\ndate: 2024-03-01\n---\n# Gears\n\nSee [[Daily/2024-03-02]].\n';
  for (const [name, content] of [
    ['vault/Ideas/Gears.md', note],
    ['vault/Daily/2024-03-02.md', 'Met Ada about the harbour.'],
    ['vault/broken.md', '---\n{a: [\n---\ntext'],
    ['vault/binary.md', Buffer.from([0xff, 0xfe, 0x00, 0xc3])],
    ['vault/.obsidian/workspace.md', 'hidden'],
    ['vault/picture.png', 'png'],
  ] as const) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const { brain, said } = await importFile('vault');
  expect(said).toMatch(/binary.md [^]*broken.md has properties that are not valid YAML[^]*2 left out[^]*2 page/);
  const pages = await listBrainPages(brain);
  expect(pages.map(({ title }) => title).toSorted()).toEqual(['2024-03-02', 'Gears']);
  const gears = pages.find(({ title }) => title === 'Gears');
  const page = await server.ok('get_page', { id: gears?.id });
  expect(page).toMatchObject({
    body: '# Gears\n\nSee [[Daily/2024-03-02]].\n',
    frontmatter: { tags: ['ideas', 'gears'], aliases: ['Cogs'], path: 'Ideas/Gears.md' },
    occurred_at: '2024-03-01T00:00:00.000Z',
  });
  expect((await importFile('vault')).said).toContain('was already imported here');
});

const createMessage = (role: string, text: unknown, more: object = {}) => ({
  id: 'm',
  author: { role, name: null, metadata: {} },
  create_time: 1_700_000_000.5,
  update_time: null,
  content: { content_type: 'text', parts: [text] },
  status: 'finished_successfully',
  weight: 1,
  metadata: more,
  recipient: 'all',
});

test('a ChatGPT export shows the branch that the person sees', async () => {
  const mapping = {
    root: { id: 'root', message: null, parent: null, children: ['sys'] },
    sys: {
      id: 'sys',
      message: createMessage('system', '', { is_visually_hidden_from_conversation: true }),
      parent: 'root',
      children: ['q'],
    },
    q: { id: 'q', message: createMessage('user', 'How do cranes nest?'), parent: 'sys', children: ['old', 'new'] },
    old: { id: 'old', message: createMessage('assistant', 'They do not.'), parent: 'q', children: [] },
    new: { id: 'new', message: createMessage('assistant', 'On the ground, near the weir.'), parent: 'q', children: [] },
  };
  const about = { create_time: 1_700_000_000, update_time: 1_700_000_100, moderation_results: [], is_archived: false };
  const zip = new JSZip();
  const first = { title: 'Cranes', ...about, mapping, current_node: 'new', conversation_id: 'c1', id: 'c1' };
  zip.file('conversations.json', JSON.stringify([first, { title: 'Broken', mapping: 7 }]));
  zip.file('user.json', '{}');
  const { brain, said } = await importFile('chatgpt.zip', await zip.generateAsync({ type: 'nodebuffer' }));
  expect(said).toMatch(/conversation 2 is not in the form of an export of ChatGPT[^]*1 page/);
  const [page] = await listBrainPages(brain);
  expect(page).toMatchObject({ title: 'Cranes', type: 'chat_session', occurred_at: '2023-11-14T22:13:20.000Z' });
  const whole = await server.ok('get_page', { id: page?.id });
  expect(whole).toMatchObject({ body: expect.stringMatching(/How do cranes nest[^]*near the weir/) });
  expect(JSON.stringify(whole)).not.toContain('They do not');
});

test('a Claude export keeps texts and the words of attachments, in an existing brain', async () => {
  const said = { uuid: 'm', created_at: '2025-01-02T03:04:05Z', updated_at: '2025-01-02T03:04:05Z', files: [] };
  const conversation = {
    uuid: 'c2',
    name: 'Tolls',
    created_at: '2025-01-02T03:04:00Z',
    updated_at: '2025-01-02T03:05:00Z',
    account: { uuid: 'u' },
    chat_messages: [
      {
        ...said,
        sender: 'human',
        text: 'Sum this up',
        content: [{ type: 'text', text: 'Sum this up' }],
        attachments: [{ file_name: 'toll.txt', file_size: 9, file_type: 'txt', extracted_content: 'Silver coins' }],
      },
      {
        ...said,
        sender: 'assistant',
        text: '',
        content: [
          { type: 'tool_use', name: 'x', input: {} },
          { type: 'text', text: 'Tolls are paid in silver.' },
        ],
        attachments: [],
      },
    ],
  };
  const { brain_id } = await server.ok('create_brain', { name: 'Chats' });
  const { brain } = await importFile('conversations.json', JSON.stringify([conversation]), '--into', String(brain_id));
  expect(brain).toBe(brain_id);
  const [page] = await listBrainPages(String(brain_id));
  const whole = await server.ok('get_page', { id: page?.id });
  expect(whole).toMatchObject({
    title: 'Tolls',
    body: expect.stringMatching(/Silver coins[^]*Claude[^]*paid in silver/),
  });
});

test('a file of an unknown form is refused with the known forms', async () => {
  await expect(importFile('else.json', '[{"hello":1}]')).rejects.toThrow(/has an unknown form.*folder of Markdown/);
  await expect(importFile('broken.zip', 'PK\u0003\u0004 broken')).rejects.toThrow(/damaged ZIP/);
  await expect(importFile('empty.json', '[]')).rejects.toThrow(/nothing to import/);
});
