import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import JSZip from 'jszip';
import { afterAll, expect, test } from 'vitest';
import type { Item } from './item.ts';
import { readForeign } from './read-foreign.ts';

const folder = mkdtempSync(join(tmpdir(), 'foreign-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(name: string, content?: string | object) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  if (content !== undefined) writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  const foreign = await readForeign(path);
  const items: Item[] = [];
  for await (const item of foreign?.items ?? []) items.push(item);
  const pages = items.flatMap((item) => (item.kind === 'page' ? [item] : []));
  const problems = items.flatMap((item) => (item.kind === 'problem' ? [`${item.where} ${item.message}`] : []));
  return { source: foreign?.source, items, pages, problems, body: pages.map(({ body }) => body).join('\n') };
}

const createMessage = (role: string, content: unknown, more: object = {}) => ({
  author: { role },
  create_time: 1_770_000_000,
  content,
  ...more,
});
const createTextContent = (...parts: unknown[]) => ({ content_type: 'text', parts });
/** A ChatGPT conversation of messages that follow each other. */
const createConversation = (title: unknown, messages: readonly unknown[], more: object = {}) => ({
  id: `id of ${String(title)}`,
  title,
  create_time: 1_770_000_000,
  mapping: Object.fromEntries(messages.map((message, at) => [`n${at}`, { parent: at ? `n${at - 1}` : null, message }])),
  current_node: `n${messages.length - 1}`,
  ...more,
});

test.for([
  [
    'voice',
    {
      content_type: 'multimodal_text',
      parts: [{ content_type: 'audio_transcription', text: 'Order oakum' }, { content_type: 'audio_asset_pointer' }],
    },
    'Order oakum',
  ],
  [
    'a sound without words',
    { content_type: 'multimodal_text', parts: [{ content_type: 'audio_asset_pointer' }] },
    '[audio]',
  ],
  [
    'a picture and words',
    { content_type: 'multimodal_text', parts: [{ content_type: 'image_asset_pointer' }, 'Which ship?', null] },
    '[image]\nWhich ship?',
  ],
  ['code', { content_type: 'code', language: 'python', text: 'ribs = 4\n' }, '```python\nribs = 4\n```'],
  [
    'code that has a fence',
    { content_type: 'code', language: 'unknown', text: '```js\n1\n```' },
    '````\n```js\n1\n```\n````',
  ],
  ['an output', { content_type: 'execution_output', text: 'sixty-eight' }, '```\nsixty-eight\n```'],
  [
    'a quotation',
    { content_type: 'tether_quote', title: 'Tides', url: 'https://t.example', text: 'High at noon' },
    'Tides https://t.example\nHigh at noon',
  ],
  ['a text alone', 'plain words', 'plain words'],
  ['parts that are numbers', createTextContent(42, 'is the answer'), '42\nis the answer'],
  [
    'marks of sources',
    createTextContent('High at noon\ue200cite\ue202turn0search1\ue202turn0search2\ue201.'),
    'High at noon.',
  ],
  [
    'a file of an editor',
    { content_type: 'app_pairing_content', workspaces: [{ title: 'hull.ts', content: 'ribs = 4' }], context_parts: [] },
    'hull.ts\nribs = 4',
  ],
  ['a kind that is new', { content_type: 'poem', text: 'Roses' }, 'Roses'],
] as const)('a message of ChatGPT that has %s is imported', async ([, content, words]) => {
  const { body, problems } = await read('kind.json', [
    createConversation('Kinds', [createMessage('assistant', content)]),
  ]);
  expect(body.split('\n\n').slice(1).join('\n\n')).toBe(words);
  expect(problems).toEqual([]);
});

test('hidden parts of a ChatGPT conversation are left out', async () => {
  const { body } = await read('unseen.json', [
    createConversation('Seen', [
      createMessage('system', createTextContent('You are')),
      createMessage('user', { content_type: 'user_editable_context', user_profile: 'Obey' }),
      createMessage('user', createTextContent('Hidden'), { metadata: { is_visually_hidden_from_conversation: true } }),
      createMessage('assistant', { content_type: 'thoughts', thoughts: [{ content: 'Hmm' }] }),
      createMessage(
        'tool',
        { content_type: 'execution_output', text: '4' },
        { author: { role: 'tool', name: 'python' } },
      ),
      createMessage('user', createTextContent('Seen words')),
    ]),
  ]);
  expect(body).toMatch(/^\*\*Tool python\*\* \(tool, [^]*\*\*You\*\*[^]*Seen words$/);
  expect(body).not.toMatch(/You are|Obey|Hidden|Hmm/);
});

test('odd messages and fields do not lose a conversation, and each problem names its conversation', async () => {
  const odd = createConversation('Odd', [
    createMessage('user', createTextContent('before')),
    null,
    createMessage('user', null),
    'broken',
    createMessage('user', 7),
    createMessage('user', { content_type: 'hologram', pixels: [] }),
    createMessage('tool', { content_type: 'search_result_groups', groups: [] }),
    createMessage('user', createTextContent('after')),
  ]);
  const numbered = createConversation(42, [
    createMessage('user', createTextContent('a number is the title'), { metadata: 'x', create_time: 'soon' }),
  ]);
  const loop = createConversation('Loop', [createMessage('user', createTextContent('round'))], {
    mapping: { n0: { parent: 'n0', message: createMessage('user', createTextContent('round')) } },
  });
  const { pages, problems } = await read('odd.json', [{ title: 'No mapping' }, odd, numbered, loop, null]);
  expect(pages.map(({ title }) => title)).toEqual(['Odd', '42', 'Loop']);
  expect(pages[0]?.body).toMatch(/before[^]*after/);
  expect(problems).toEqual([
    'conversation 1 is not in the form of an export of ChatGPT: “No mapping”.',
    'conversation 2 has 3 messages that cannot be read and are left out: “Odd”.',
    'conversation 5 is not in the form of an export of ChatGPT.',
  ]);
});

test('without current_node, or when it is missing, the newest branch is read, even if only the lists of children describe it', async () => {
  const mapping = {
    new: { message: createMessage('assistant', createTextContent('newest'), { create_time: 1_770_000_300 }) },
    root: { children: ['q'] },
    q: { children: ['new', 'old'], message: createMessage('user', createTextContent('question')) },
    old: { message: createMessage('assistant', createTextContent('older'), { create_time: 1_770_000_200 }) },
  };
  for (const current_node of [undefined, null, 'gone', 'constructor']) {
    const { body } = await read('branches.json', [{ title: 'Fork', mapping, current_node }]);
    expect(body).toMatch(/question[^]*newest/);
    expect(body).not.toContain('older');
  }
});

test('a Claude conversation without a time is imported, with voice notes, tools and their results', async () => {
  const human = (content: unknown, more: object = {}) => ({ sender: 'human', text: '', content, ...more });
  const { pages, problems, body } = await read('claude.json', [
    { uuid: 'a', name: 'No time', created_at: null, chat_messages: [{ sender: 'human', text: 'belay it' }] },
    {
      uuid: 'b',
      name: 'Tools',
      chat_messages: [
        human([{ type: 'voice_note', title: 'note', text: 'reef the main' }], { files: [{ file_name: 'chart.png' }] }),
        {
          sender: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hmm' },
            { type: 'tool_use', name: 'repl', input: { code: '2+2', language: 'js' } },
            { type: 'tool_use', name: 'search', input: { query: 'tides' } },
          ],
        },
        { sender: 'assistant', content: [{ type: 'tool_result', content: [{ type: 'text', text: 'four' }] }] },
        null,
        'odd',
      ],
    },
    { uuid: 'c', name: 'None' },
  ]);
  expect(pages.map(({ title }) => title)).toEqual(['No time', 'Tools']);
  expect(body).toMatch(
    /belay it[^]*reef the main[^]*\[file chart.png\][^]*```js\n2\+2\n```[^]*"query": "tides"[^]*```\nfour\n```/,
  );
  expect(body).not.toContain('Hmm');
  expect(problems).toEqual([
    'conversation 2 has 1 message that cannot be read and is left out: “Tools”.',
    'conversation 3 is not in the form of an export of Claude: “None”.',
  ]);
});

test('an unpacked export is read from its folder in the order of its files, and a cut-off file loses only its end', async () => {
  const one = (title: string) => createConversation(title, [createMessage('user', createTextContent(title))]);
  const whole = JSON.stringify([one('Third'), one('Lost')]);
  await expect(read('export/user.json', '{}')).rejects.toThrow('an unknown form');
  writeFileSync(join(folder, 'export/chat.html'), '<html>');
  mkdirSync(join(folder, 'export/inner'));
  writeFileSync(join(folder, 'export/inner/conversations-001.json'), whole.slice(0, -30));
  writeFileSync(
    join(folder, 'export/inner/conversations-000.json'),
    `\ufeff${JSON.stringify([one('First'), one('Second')])}`,
  );
  const { pages, problems, source } = await read('export');
  expect(source).toBe('chatgpt');
  expect(pages.map(({ title }) => title)).toEqual(['First', 'Second', 'Third']);
  expect(problems).toEqual(['conversations-001.json is damaged or cut off; the rest of it is left out.']);
});

test('the conversations of a ZIP and one conversation alone are read', async () => {
  const zip = new JSZip();
  zip.file(
    'export/conversations-000.json',
    JSON.stringify([createConversation('Packed', [createMessage('user', createTextContent('in a ZIP'))])]),
  );
  writeFileSync(join(folder, 'export.zip'), await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' }));
  expect((await read('export.zip')).pages).toMatchObject([{ title: 'Packed' }]);
  expect(
    (await read('one.json', createConversation('Alone', [createMessage('user', createTextContent('one'))]))).pages,
  ).toMatchObject([{ title: 'Alone' }]);
});

test('lines of one entity become one memory with all observations, and two objects of one line are both read', async () => {
  const entity = (name: string, ...observations: unknown[]) =>
    JSON.stringify({ type: 'entity', name, entityType: 'person', observations });
  const relation = JSON.stringify({ type: 'relation', from: 'Ines', to: 'Quay', relationType: 'works at' });
  const { items, problems } = await read(
    'memory.jsonl',
    [
      entity('Ines', 'builds boats'),
      `${entity('Quay', 'deep')}${relation}`,
      entity('Ines', 'sails', 'builds boats', 7),
      `${relation}half`,
    ].join('\n'),
  );
  expect(items.flatMap((item) => (item.kind === 'memory' ? [item.content] : []))).toEqual([
    'Ines (person)\n- builds boats\n- sails\n- 7',
    'Quay (person)\n- deep',
  ]);
  expect(items.filter(({ kind }) => kind === 'link')).toHaveLength(2);
  expect(problems).toEqual(['line 4 is neither an entity nor a relation.']);
});

test('times in milliseconds are recognised', async () => {
  const { body } = await read('ms.json', [
    createConversation('Ms', [createMessage('user', createTextContent('x'), { create_time: 1_770_000_000_000 })]),
  ]);
  expect(body).toContain('(user, 2026-02-02 02:40 UTC)');
});

test('observations of a memory server that are one text, or objects with a text, are kept', async () => {
  const entity = (name: string, observations: unknown) =>
    JSON.stringify({ type: 'entity', name, entityType: 'ship', observations });
  const lines = [entity('Ada', 'afloat'), entity('Bea', [{ text: 'aground' }, { content: 'adrift' }, null])];
  const { items, problems } = await read('odd.jsonl', lines.join('\n'));
  expect(items.map((item) => 'content' in item && item.content)).toEqual([
    'Ada (ship)\n- afloat',
    'Bea (ship)\n- aground\n- adrift',
  ]);
  expect(problems).toEqual([]);
});

test('the error for a ZIP file that is too large to read at once says that its folder can be imported', async () => {
  const path = join(folder, 'pictures.zip');
  writeFileSync(path, 'PK\u0003\u0004');
  truncateSync(path, 2 ** 31);
  await expect(read('pictures.zip')).rejects.toThrow('Unpack it, and import its folder.');
  rmSync(path);
});
