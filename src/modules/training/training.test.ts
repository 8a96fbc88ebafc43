import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { published } from '../../../tests/support/training-schemas.ts';
import { formatLine } from './formats.ts';
import { readPairs } from './import-lines.ts';
import { secretPrefixes } from '#kernel/secret-prefixes';
import { generateSecret } from '#platform/one-time-secrets';
import { maskText, maskLine } from './mask.ts';
import { parts, platforms, type Pair, type Platform } from './pair.ts';

let server: TestServer;
let database: OwnerDatabase;
beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

const prompt = [{ role: 'user' as const, content: 'Who signs?' }];
const sft: Pair = { kind: 'sft', prompt, answer: 'Ada.', weight: 1 };
const dpo: Pair = { kind: 'dpo', prompt, answer: 'Ada.', rejected: 'Bob.', weight: 1 };
const ada = { role: 'assistant', content: 'Ada.' };
const bob = { role: 'assistant', content: 'Bob.' };
const chat = { messages: [...prompt, ada] };
const expected: Record<Platform, [object, object]> = {
  openai: [
    chat,
    {
      input: { messages: prompt, tools: [], parallel_tool_calls: true },
      preferred_output: [ada],
      non_preferred_output: [bob],
    },
  ],
  together: [chat, { input: { messages: prompt }, preferred_output: [ada], non_preferred_output: [bob] }],
  huggingface: [chat, { prompt, chosen: [ada], rejected: [bob] }],
  axolotl: [
    {
      conversations: [
        { from: 'human', value: 'Who signs?' },
        { from: 'gpt', value: 'Ada.' },
      ],
    },
    { messages: prompt, chosen: ada, rejected: bob },
  ],
  generic: [
    { prompt: 'Who signs?', completion: 'Ada.', weight: 1 },
    { prompt: 'Who signs?', chosen: 'Ada.', rejected: 'Bob.', weight: 1 },
  ],
};

test.for(platforms)('lines for %s have its published format', (platform) => {
  expect([formatLine(platform, sft), formatLine(platform, dpo)]).toEqual(expected[platform]);
});

test('every kind of secret that the server issues is masked', () => {
  for (const prefix of secretPrefixes)
    expect(maskText(`it is ${generateSecret(prefix)}.`, 'secrets')).toBe('it is [secret].');
});

test('secrets and personal data are masked on request', () => {
  const text =
    'Mail ada@example.com or +44 20 7946 0958; card 4111 1111 1111 1111; password: hunter2; key sk-proj-abcdefghijklmnopqrst';
  expect(maskText(text, 'none')).toBe(text);
  expect(maskText(text, 'secrets')).toMatch(/ada@example\.com.*4111.*password: \[secret\].*key \[secret\]/);
  expect(maskText(text, 'all')).not.toMatch(/ada@|7946|4111|hunter2|sk-proj/);
  const own = `whsec_${'ab+/'.repeat(8)}== ts_${'a'.repeat(24)} to_${'a'.repeat(24)} zwh_${'a'.repeat(24)}`;
  expect(maskText(own, 'secrets')).toBe('[secret] [secret] [secret] [secret]');
  const line = { prompt: 'What is known about hunter2?', completion: 'The password: Hunter2.' };
  expect(maskLine(line, 'secrets')).toBe(
    '{"prompt":"What is known about [secret]?","completion":"The password: [secret]"}',
  );
  expect(maskLine(line, 'none')).toBe(JSON.stringify(line));
});

const buildPair = (content: string, answer: string) => [
  { role: 'user' as const, content },
  { role: 'assistant' as const, content: answer },
];

test.for([
  [
    'Axolotl',
    {
      conversations: [
        { from: 'human', value: 'Who signs?' },
        { from: 'gpt', value: 'Ada.' },
      ],
    },
    null,
  ],
  ['Together', { prompt: 'Who signs?', completion: 'Ada.' }, null],
  ['Together chats', { messages: buildPair('Who signs?', 'Ada.') }, null],
  ['Alpaca', { instruction: 'Who signs?', input: '', output: 'Ada.' }, null],
  ['Hugging Face DPO', { prompt, chosen: [ada], rejected: [bob] }, 'Bob.'],
  ['Axolotl DPO', { messages: prompt, chosen: ada, rejected: bob }, 'Bob.'],
  ['OpenAI DPO', expected.openai[1], 'Bob.'],
  ['Together DPO', expected.together[1], 'Bob.'],
] as const)('a line in the shape of %s is read', ([, line, rejected]) => {
  expect(readPairs(JSON.stringify(line))).toEqual([{ prompt, answer: 'Ada.', rejected }]);
});

type Line = Record<string, unknown>;
async function download(dataset: string, query: string, key = server.key) {
  const answer = await server.request(`/v1/training/download/${dataset}?${query}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return {
    status: answer.status,
    lines: answer.ok
      ? (await answer.text())
          .trim()
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Line)
      : [],
  };
}

test('superseded memories are left out, and are the worse answer of a preference', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Superseding' });
  const add = async (content: string) => (await server.ok('add_memory', { content, target_brain_id: brain_id })).id;
  const [first, second, third] = [
    await add('Invoices are signed by Bob.'),
    await add('Invoices are signed by Carol.'),
    await add('Invoices are signed by Ada.'),
  ];
  await server.ok('archive_memory', { id: first, superseded_by: second });
  await server.ok('archive_memory', { id: second, superseded_by: third });
  const domain = await download('domain_sft', `platform=openai&brain_id=${brain_id}`);
  expect(JSON.stringify(domain.lines)).toContain('signed by Ada');
  expect(JSON.stringify(domain.lines)).not.toMatch(/Bob|Carol/);
  const { lines } = await download('dpo', `brain_id=${brain_id}`);
  expect(lines.map(({ chosen, rejected }) => [chosen, rejected]).toSorted()).toEqual([
    ['Invoices are signed by Ada.', 'Invoices are signed by Bob.'],
    ['Invoices are signed by Ada.', 'Invoices are signed by Carol.'],
  ]);
  // The owner of one brain does not get the successors of its memories in another one.
  const { brain_id: other } = await server.ok('create_brain', { name: 'Of others' });
  const moved = await server.ok('add_memory', { content: 'Signed in private by Dora.', target_brain_id: other });
  await server.ok('archive_memory', { id: await add('Signed by Eve.'), superseded_by: moved.id });
  expect(JSON.stringify((await download('dpo', `brain_id=${brain_id}`)).lines)).not.toMatch(/Dora|Eve/);
  expect(JSON.stringify((await download('dpo', `brain_ids=${brain_id},${other}`)).lines)).toContain('Dora');
  const status = await server.ok('training_status', { brain_id });
  expect(status).toMatchObject({ memories: { used: 1, superseded: 3 }, pairs: { dpo: 2 }, is_ready: false });
  expect(status.warnings.join(' ')).toContain('too few');
});

test('both sides of an open contradiction are in no dataset, and the answers give their number', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Contradicting' });
  const add = async (content: string) =>
    (await server.ok('add_memory', { content, target_brain_id: brain_id, type: 'decision' })).id;
  const [early, late] = [
    await add('The ferry leaves pier three at six'),
    await add('Ferries go from pier five at nine'),
  ];
  const old = await add('The ferry leaves from the beach');
  await add('The crane lifts ten tonnes');
  await server.ok('archive_memory', { id: old, superseded_by: early });
  const pair = { source_memory_id: early, target_memory_id: late };
  await server.ok('link_memories', { ...pair, relationship_type: 'conflicts_with' });
  const all = async () => {
    const { lines } = await download('all', `brain_id=${brain_id}`);
    return ['three', 'five', 'beach', 'crane'].filter((word) => JSON.stringify(lines).includes(word));
  };
  expect(await all()).toEqual(['crane']);
  expect(await server.ok('training_status', { brain_id })).toMatchObject({
    memories: { used: 1, in_conflict: 2 },
    pairs: { domain_sft: 1, behavioral_sft: 1, dpo: 0 },
    warnings: expect.arrayContaining([expect.stringContaining('2 memories are left out')]),
  });
  const asked = { brain_id, platform: 'generic' as const };
  const left_out = { in_conflict: 2 };
  expect(await server.ok('training_export', { ...asked, types: ['domain_sft'] })).toMatchObject({ left_out });
  expect(await server.ok('training_download', { ...asked, dataset: 'all' })).toMatchObject({ left_out });
  await server.ok('dismiss_contradiction', { memory_id: early, conflicts_with: late });
  expect(await all()).toEqual(['three', 'five', 'beach', 'crane']);
  await server.ok('undo_contradiction_dismissal', { memory_id: early, conflicts_with: late });
  await server.ok('archive_memory', { id: late });
  expect(await all()).toEqual(['three', 'beach', 'crane']);
  expect(await server.ok('training_status', { brain_id })).toMatchObject({ memories: { used: 2, in_conflict: 0 } });
});

test('imported pairs are stored as a document, have the weight 0.1, and rank below memories', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Importing' });
  const lines = Array.from({ length: 20 }, (_, n) =>
    JSON.stringify({
      messages: [
        { role: 'user', content: `Which pump serves basin ${n}?` },
        { role: 'assistant', content: `Pump ${n}.` },
      ],
    }),
  );
  lines.push(JSON.stringify({ prompt: 'Which valve first?', chosen: 'The red valve.', rejected: 'Any valve.' }));
  const imported = await server.ok('import_training_data', {
    title: 'Pump manual',
    content: lines.join('\n'),
    brain_id,
  });
  expect(imported).toMatchObject({ imported: { sft: 20, dpo: 1 }, weight: 0.1 });
  expect((await server.ok('search_memory', { q: 'pump basin', brain_id })).memories[0]).toMatchObject({
    document_source: { document_id: imported.document_id, document_title: 'Pump manual' },
  });
  expect((await download('imported_sft', `brain_id=${brain_id}`)).lines).toHaveLength(20);
  expect((await download('imported_sft', `brain_id=${brain_id}`)).lines[0]).toMatchObject({ weight: 0.1 });
  expect((await download('all', `platform=openai&brain_id=${brain_id}`)).lines.map(({ dataset }) => dataset)).toEqual([
    'imported_sft',
    'imported_sft',
    'imported_dpo',
  ]);
  expect(await server.ok('training_status', { brain_id })).toMatchObject({ self_sufficiency: 0, is_ready: true });
  await server.ok('delete_document', { id: imported.document_id });
  expect((await download('imported_sft', `brain_id=${brain_id}`)).lines).toEqual([]);
});

test('each dataset for each platform has the form that the platform publishes', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Published' });
  const add = async (memory: object) => (await server.ok('add_memory', { ...memory, target_brain_id: brain_id })).id;
  const old = await add({ content: 'Offers are signed by Bob.' });
  const live = await add({ content: 'Offers are signed by Ada.' });
  await server.ok('archive_memory', { id: old, superseded_by: live });
  await add({ content: 'Never sign drafts.', type: 'constraint', triggers: [{ condition: 'signing', reason: 'Law' }] });
  const turn = (role: string) => ({ role, content: `Words of the ${role}` });
  const chat = ['system', 'assistant', 'user', 'user', 'system', 'assistant', 'assistant'].map(turn);
  const content = [{ messages: chat }, { prompt: chat.slice(0, 4), chosen: [ada], rejected: [bob] }];
  const lines = content.map((each) => JSON.stringify(each)).join('\n');
  await server.ok('import_training_data', { title: 'Published', content: lines, brain_id });
  for (const platform of platforms)
    for (const part of parts) {
      const kind = part === 'embedding_triplets' ? 'triplet' : part.endsWith('dpo') ? 'dpo' : 'sft';
      const { lines: found } = await download(part, `platform=${platform}&brain_id=${brain_id}`);
      expect(found.length, `${platform} ${part}`).toBeGreaterThan(0);
      for (const line of found)
        expect(published[platform][kind].safeParse(line), `${platform} ${part}`).toMatchObject({ success: true });
    }
});

test('an import makes one short skill of its topics for each name, and the skill outlives its document', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Playbooks' });
  const file = (answer: string) => JSON.stringify({ prompt: 'Which sluice opens first?', completion: answer });
  const give = (answer: string) =>
    server.ok('import_training_data', { title: 'Sluice playbook', content: file(answer), brain_id });
  const first = await give('The northern sluice opens first.');
  const { skill } = await server.ok('skills', { action: 'load', skill_id: first.skill_id });
  expect(skill).toMatchObject({ name: 'Sluice playbook' });
  expect(skill?.source_document_id).toBe(first.document_id);
  for (const topic of first.topics) expect(skill?.content).toContain(topic);
  expect(skill?.content.length).toBeLessThan(1_000);
  expect(await give('The southern sluice opens first.')).toMatchObject({ is_new: true, skill_id: null });
  expect(await give('The northern sluice opens first.')).toMatchObject({ is_new: false, skill_id: null });
  expect((await download('imported_sft', `brain_id=${brain_id}`)).lines).toHaveLength(2);
  await server.ok('delete_document', { id: first.document_id });
  const after = await server.ok('skills', { action: 'load', skill_id: first.skill_id });
  expect(after.skill).toEqual({ ...skill, source_document_id: null });
});

test('what was learned from a document answers a question about that document', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Learning' });
  const content = 'Tallow candles burn for nine hours in the northern lighthouse.';
  const { document_id } = await server.ok('upload_document', { title: 'Light manual', content, brain_id });
  await server.ok('read_document', { document_id });
  const learned = 'In the northern lighthouse tallow candles burn for nine hours.';
  await server.ok('add_memory', { content: learned, target_brain_id: brain_id });
  const pairs = async () => (await download('domain_sft', `brain_id=${brain_id}`)).lines;
  const question = expect.stringContaining('What does “Light manual” say about');
  await expect.poll(pairs, { timeout: 10_000 }).toEqual([{ prompt: question, completion: learned, weight: 1 }]);
});

test.for([{ x: 1 }, { messages: [ada, ada] }, { messages: prompt }])('the line %o is not a pair', (line) => {
  expect(() => readPairs(JSON.stringify(line))).toThrow('Line 1');
});

test('an error names a line that is not a pair, and nothing is stored', async () => {
  const content = '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}\n{"x":1}';
  expect(await server.call('import_training_data', { title: 'Bad', content })).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('Line 2') },
  });
  expect((await server.ok('list_documents', {})).documents.map(({ title }) => title)).not.toContain('Bad');
});

test('a large dataset is streamed in pages, with each pair once', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Large' });
  const memories = Array.from({ length: 1_100 }, (_, n) => ({ content: `Crate ${n} holds ${n * 7} lanterns.` }));
  for (let from = 0; from < memories.length; from += 100)
    await server.ok('add_memories_bulk', { memories: memories.slice(from, from + 100), target_brain_id: brain_id });
  const { lines } = await download('domain_sft', `brain_id=${brain_id}`);
  expect(new Set(lines.map(({ completion }) => completion)).size).toBe(1_100);
});

test('behaviour, triplets and masks follow the query of a download', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Behaving' });
  const add = (memory: object) => server.ok('add_memory', { ...memory, target_brain_id: brain_id });
  await add({
    content: 'Never mail ada@example.com the password: hunter2.',
    type: 'constraint',
    triggers: [{ condition: 'writing a mail', reason: 'It leaked once' }],
  });
  await add({ content: 'The ferry leaves at noon.', type: 'fact' });
  const lines = async (dataset: string, mask: string) =>
    (await download(dataset, `brain_id=${brain_id}&mask=${mask}`)).lines;
  const behaviour = (answer: string) => [
    {
      prompt: 'I am writing a mail. What should I keep in mind?',
      completion: expect.stringContaining(answer),
      weight: 1,
    },
  ];
  expect(await lines('behavioral_sft', 'none')).toEqual(behaviour('mail ada@example.com the password: hunter2.'));
  expect(await lines('behavioral_sft', 'secrets')).toEqual(behaviour('mail ada@example.com the password: [secret]'));
  expect(await lines('behavioral_sft', 'all')).toEqual(behaviour('mail [email] the password: [secret]'));
  const triplets = await lines('embedding_triplets', 'all');
  const ferry = 'The ferry leaves at noon.';
  const rule = 'Never mail [email] the password: [secret]';
  expect(triplets).toEqual([
    { anchor: 'Which rule applies to [email], mail, password?', positive: rule, negative: ferry },
    { anchor: 'What is known about ferry, leaves, noon?', positive: ferry, negative: rule },
  ]);
});

test('only the owner of a brain can export it', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Owned' });
  const { key, personId } = await addPerson(database);
  expect((await server.call('training_export', { platform: 'openai', types: ['dpo'], brain_id }, { key })).status).toBe(
    404,
  );
  expect((await download('all', `brain_id=${brain_id}`, key)).status).toBe(404);
  const addMember = `insert into brain_members select $1, $2, workspace_id, $3, true, now(), null from brains where id = $1
    on conflict (brain_id, person_id) do update set access_level = excluded.access_level`;
  for (const role of ['viewer', 'editor', 'admin']) {
    await database.rows(addMember, [brain_id, personId, role]);
    expect((await download('all', `brain_id=${brain_id}`, key)).status, role).toBe(403);
    for (const [operation, input] of [
      ['training_status', {}],
      ['training_export', { platform: 'openai', types: ['dpo'] }],
      ['import_training_data', { title: 'Mine', content: '{"prompt":"a","completion":"b"}' }],
    ] as const)
      expect((await server.call(operation, { ...input, brain_id }, { key })).status, `${operation} ${role}`).toBe(403);
  }
  const { files } = await server.ok('training_export', {
    platform: 'axolotl',
    types: ['domain_sft', 'embedding'],
    brain_id,
  });
  expect(files.map(({ url }) => new URL(url).pathname)).toEqual([
    '/v1/training/download/domain_sft',
    '/v1/training/download/embedding_triplets',
  ]);
});
