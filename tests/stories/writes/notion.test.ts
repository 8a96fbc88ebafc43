import { afterEach, beforeAll, expect, test } from 'vitest';
import { startNotionEmulator, type NotionEmulator } from '#emulators/notion/index';
import { act, createActionDraft, readRefusal, waitForOutcome } from '../../support/acting.ts';
import { linkAccount } from '../../support/linking.ts';
import { startTestServer } from '../../support/server.ts';
import { quickTimes } from '../../support/quick-times.ts';
import { share } from '../../support/share.ts';

let plan: ReturnType<NotionEmulator['seedPage']>;
let tasks: ReturnType<NotionEmulator['addDatabase']>;
const notion = share(() => startNotionEmulator({ searchLagSeconds: 0, quota: { requests: 10_000, seconds: 10 } }));
const server = share(() =>
  startTestServer({
    THALAMUS_NOTION_BASE_URL: notion.url,
    THALAMUS_NOTION_CLIENT_ID: notion.client.id,
    THALAMUS_NOTION_CLIENT_SECRET: notion.client.secret,
    ...quickTimes,
  }),
);
beforeAll(async () => {
  notion.addUser({ name: 'Ada' });
  plan = notion.seedPage({ title: 'Gear plan', by: 'Ada', text: ['The gears slip.'] });
  for (const title of ['Twin', 'Twin', 'Gear plan, second']) notion.seedPage({ title, by: 'Ada' });
  tasks = notion.addDatabase({ title: 'Tasks', schema: { Name: 'title', Done: 'checkbox', State: 'status' } });
  await linkAccount(server, { provider: 'notion', source: 'notion' }, (url) => notion.approve(url, { user: 'Ada' }));
});
afterEach(() => notion.failures.clear());

const buildRequest = (action_name: string, input: Record<string, unknown>) => ({
  source: 'notion',
  action_name,
  input,
});
const create = (title: string, text?: string) =>
  buildRequest('create_page', { parent_page_id: plan.id, title, ...(text && { text }) });
const add = (title: string) => buildRequest('add_to_database', { database_id: tasks.id, title, text: 'Soon.' });
const append = (text: string, page_id = plan.id) => buildRequest('append_to_page', { page_id, text });
const buildCommentRequest = (text: string, page_id = plan.id) => buildRequest('create_comment', { page_id, text });
const listPagesTitled = (title: string) =>
  notion.pages().filter((page) => JSON.stringify(page.properties).includes(`"${title}"`));
const count = (list: readonly string[], text: string) => list.filter((each) => each === text).length;
const countComments = (text: string) =>
  count(
    notion.comments(plan.id).map(({ richText }) => richText.map((item) => item.plain_text).join('')),
    text,
  );
const writing: Record<string, { method: string; path: string | RegExp }> = {
  create_page: { method: 'POST', path: '/v1/pages' },
  add_to_database: { method: 'POST', path: '/v1/pages' },
  append_to_page: { method: 'PATCH', path: /\/children$/ },
  create_comment: { method: 'POST', path: '/v1/comments' },
};
const cutAfter = { name: 'cut after it was taken', failure: { kind: 'cut', when: 'after' } as const };
const failedAfter = {
  name: 'answered 500 after it was taken',
  failure: { kind: 'status', status: 500, when: 'after' } as const,
};

test('a page is drafted, edited, confirmed, and created once, with its paragraphs unchanged', async () => {
  const long = `${'word '.repeat(900)}end`;
  const requested = buildRequest('create_page', {
    parent_page_id: 'Gear plan',
    title: 'Bearing',
    text: `One\nline.\n\n${long}`,
  });
  const action = await act(server, requested, { title: 'Bearings' });
  const [page, ...others] = listPagesTitled('Bearings');
  expect(others).toEqual([]);
  expect(page?.parent).toEqual({ type: 'page_id', id: plan.id });
  expect(action).toMatchObject({
    status: 'confirmed',
    ledger_is_whole: true,
    preview: { title: 'Page below Gear plan: Bearings' },
    result: { page_id: page?.id, link: expect.stringContaining('Bearings') },
  });
  expect(action.ledger.map(({ step }) => step)).toEqual(['drafted', 'edited', 'decided', 'sending', 'confirmed']);
  const [first, ...rest] = notion.texts(page!.id);
  expect(first).toBe('One\nline.');
  expect(rest.length).toBe(3);
  expect(rest.join(' ')).toBe(long);
});

test('a page is named by its id, with or without dashes, or by its link', async () => {
  const bare = plan.id.replaceAll('-', '');
  const link = `https://www.notion.so/acme/Gear-plan-${bare}?v=${'0'.repeat(32)}#x`;
  for (const page_id of [bare, link]) {
    const action = await act(server, append(`Named by ${page_id.length} letters.`, page_id));
    expect(action).toMatchObject({ status: 'confirmed', result: { page_id: plan.id } });
  }
  expect(notion.texts(plan.id).filter((text) => text.startsWith('Named by'))).toHaveLength(2);
});

test('a page is added to a database with its properties, which do not change its title', async () => {
  const properties = { Done: { checkbox: true }, State: { status: { name: 'Open' } }, title: { title: [] } };
  const input = { database_id: 'Tasks', title: 'Oil it', text: 'With saffron.', properties };
  const action = await act(server, buildRequest('add_to_database', input));
  const [page, ...others] = listPagesTitled('Oil it');
  expect([action.status, others]).toEqual(['confirmed', []]);
  expect(page).toMatchObject({
    parent: { type: 'data_source_id', id: tasks.dataSourceId },
    properties: { Done: { checkbox: true }, State: { status: { name: 'Open' } } },
  });
  expect(notion.texts(page!.id)).toEqual(['With saffron.']);
  const bySource = buildRequest('add_to_database', { data_source_id: tasks.dataSourceId, title: 'Oil it again' });
  expect(await act(server, bySource)).toMatchObject({
    status: 'confirmed',
    result: { page_id: listPagesTitled('Oil it again')[0]?.id },
  });
});

test('text is added at the end of a page, and a page commented on', async () => {
  const appended = await act(server, append('Second.\n\nThird.'));
  expect(appended).toMatchObject({
    status: 'confirmed',
    result: { page_id: plan.id, last_block_id: expect.any(String) },
  });
  expect(notion.texts(plan.id).slice(-2)).toEqual(['Second.', 'Third.']);
  expect(await act(server, buildCommentRequest('Agreed.\n\nAnd so on.'))).toMatchObject({ status: 'confirmed' });
  expect(countComments('Agreed.\n\nAnd so on.')).toBe(1);
});

test.each([cutAfter, failedAfter])(
  'an item that was created and $name is found and not created again',
  async ({ name, failure }) => {
    const requests = [
      create(`Page, ${name}`, 'Text.'),
      add(`Task, ${name}`),
      append(`First.\n\nLast, ${name}`),
      buildCommentRequest(`Comment, ${name}`),
    ];
    for (const each of requests) {
      const id = await createActionDraft(server, each);
      notion.failures.next(writing[each.action_name]!, failure);
      await server.ok('confirm_action', { draft_id: id });
      const page = listPagesTitled(String(each.input['title']))[0]?.id ?? plan.id;
      expect(await waitForOutcome(server, id)).toMatchObject({ status: 'confirmed', result: { page_id: page } });
    }
    expect([listPagesTitled(`Page, ${name}`).length, listPagesTitled(`Task, ${name}`).length]).toEqual([1, 1]);
    expect([count(notion.texts(plan.id), `Last, ${name}`), countComments(`Comment, ${name}`)]).toEqual([1, 1]);
  },
);

test('a request that was cut off before it arrived fails, also where an equal page existed', async () => {
  const requests = [create('Lost'), add('Lost too'), append('Lost.'), buildCommentRequest('Lost.')];
  for (const each of requests) await act(server, each);
  const ids: string[] = [];
  for (const each of requests) {
    const id = await createActionDraft(server, each);
    notion.failures.next(writing[each.action_name]!, { kind: 'cut', when: 'before' });
    await server.ok('confirm_action', { draft_id: id });
    ids.push(id);
  }
  for (const id of ids) expect(await waitForOutcome(server, id)).toMatchObject({ status: 'failed' });
  expect([listPagesTitled('Lost').length, listPagesTitled('Lost too').length]).toEqual([1, 1]);
  expect([count(notion.texts(plan.id), 'Lost.'), countComments('Lost.')]).toEqual([1, 1]);
});

test('content above Notion’s limit is refused before it is drafted, and content at the limit is written', async () => {
  const paragraphs = (number: number) => Array.from({ length: number }, (_, index) => `Line ${index}`).join('\n\n');
  const cases = [
    [append(paragraphs(101)), 'text: must have at most 100 paragraphs'],
    [append(`${paragraphs(99)}\n\n${'x'.repeat(2_001)}`), 'counting 2000 characters of a long one as one'],
    [buildCommentRequest('x'.repeat(2_001)), 'text'],
    [create(''), 'title'],
    [buildRequest('add_to_database', { title: 'Nowhere' }), 'needs one of database_id'],
    [
      buildRequest('add_to_database', { database_id: 'Tasks', data_source_id: '0'.repeat(32), title: 'Both' }),
      'accepts only one of database_id, data_source_id',
    ],
  ] as const;
  for (const [each, said] of cases) {
    const { status, body } = await server.call('act_on_integration', each);
    expect({ status, detail: body['detail'] }).toMatchObject({ status: 422, detail: expect.stringContaining(said) });
  }
  const action = await act(server, create('Full', paragraphs(100)));
  const { page_id } = action['result'] as { page_id: string };
  expect(notion.texts(page_id)).toHaveLength(100);
});

test('the error names a missing or ambiguous target, and nothing is sent', async () => {
  const nowhere = '00000000-0000-4000-8000-000000000000';
  const hidden = notion.seedPage({ title: 'Hidden', by: 'Ada' });
  notion.share(hidden.id, false);
  const trashed = notion.seedPage({ title: 'Trashed', by: 'Ada' });
  notion.touchPage(trashed.id, { inTrash: true });
  notion.ledger.clear();
  const cases = [
    [append('Hello?', nowhere), `There is no page ${nowhere}`],
    [append('Hello?', hidden.id), `There is no page ${hidden.id}`],
    [append('Hello?', trashed.id), `There is no page ${trashed.id}`],
    [buildCommentRequest('Hello?', 'Gear'), 'There is no page Gear'],
    [append('Hello?', 'Twin'), 'Several pages are called Twin'],
    [buildRequest('add_to_database', { database_id: nowhere, title: 'x' }), `There is no database ${nowhere}`],
    [buildRequest('add_to_database', { database_id: 'Chores', title: 'x' }), 'There is no database Chores'],
    [buildRequest('add_to_database', { data_source_id: nowhere, title: 'x' }), `There is no data source ${nowhere}`],
    [
      append('Hello?', `https://www.notion.so/A-${plan.id.replaceAll('-', '')}?v=1&p=${nowhere.replaceAll('-', '')}`),
      'There is no page https',
    ],
  ] as const;
  for (const [each, said] of cases) expect(await readRefusal(server, each)).toContain(said);
  const sent = notion.ledger.all().filter(({ method, path }) => method !== 'GET' && path !== '/v1/search');
  expect(sent).toEqual([]);
  const unknown = buildRequest('add_to_database', {
    database_id: tasks.id,
    title: 'x',
    properties: { Colour: { number: 1 } },
  });
  expect(await act(server, unknown)).toMatchObject({ status: 'failed', error: expect.stringContaining('Colour') });
});
