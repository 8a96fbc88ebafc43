import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEgress, type Egress } from '#platform/egress';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createProviderClient, type Reach } from '#providers/http';
import { createExtraction } from '#platform/extraction';
import { createReaders } from '#providers/reading';
import { exampleProvider } from './index.ts';

type Task = { id: string; title: string; note?: string };

/** The service of the example, on a real port. */
const tasks = new Map<string, Task>();
let isCut = false;
let url = '';
const service = createServer((request, response) => {
  const answer = (status: number, body?: unknown) => response.writeHead(status).end(body && JSON.stringify(body));
  const readReported = (task: Task) => ({
    ...task,
    url: `${url}/${task.id}`,
    author: 'Ada',
    updated_at: '2026-06-01T12:00:00Z',
  });
  const { pathname, searchParams } = new URL(request.url ?? '/', url);
  const id = decodeURIComponent(pathname.replace('/v1/tasks', '').slice(1));
  if (request.headers.authorization !== 'Bearer secret') return void answer(401);
  if (request.method === 'GET' && id === '') {
    const all = [...tasks.values()].map(readReported);
    const page = Number(searchParams.get('page') ?? 0);
    return void answer(200, { tasks: all.slice(page, page + 2), next_page: page + 2 < all.length ? page + 2 : null });
  }
  if (request.method === 'POST') {
    let text = '';
    request.on('data', (piece: Buffer) => (text += piece.toString()));
    return void request.on('end', () => {
      const task = JSON.parse(text) as Task;
      if (tasks.has(task.id)) return void answer(409);
      tasks.set(task.id, task);
      return isCut ? void response.destroy() : void answer(201, readReported(task));
    });
  }
  const task = tasks.get(id);
  if (!task) return void answer(404);
  if (request.method === 'DELETE') tasks.delete(id);
  return void (request.method === 'DELETE' ? answer(204) : answer(200, readReported(task)));
});

let egress: Egress;
let reach: Reach;
beforeAll(async () => {
  await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`; // a listening TCP server has one
  egress = createEgress({ allow: [url] });
  const credential = {
    value: 'secret',
    headers: { authorization: 'Bearer secret' },
    query: {},
    place: 'header',
  } as const;
  const client = createProviderClient({
    egress,
    tokens: { credential: () => Promise.resolve(credential), accessToken: () => Promise.resolve('secret') },
    clients: { findBaseUrl: () => url, listed: [] } as never, // only these few properties of the client are used
  });
  const link = { workspaceId: 'w', connectionId: 'c', provider: 'example' };
  reach = { client, link, file: () => Promise.resolve(null), address: () => Promise.resolve(null) };
});
afterAll(async () => {
  await egress.close();
  service.close();
});
beforeEach(() => {
  tasks.clear();
  isCut = false;
});

const [createTask] = exampleProvider.actions;
const [source] = exampleProvider.sources;
if (!createTask || !source) throw new Error('the example has an action and a source');

const input = createTask.payload.parse(createTask.example);
const attempt = { draftId: '01890000-0000-7000-8000-000000000001', isRetry: false };

test('a task is created under the id that was chosen, and deleted again by the undo', async () => {
  const handle = await createTask.prepare(reach, input, attempt);
  const result = await createTask.send(reach, input, handle);
  expect([...tasks.values()]).toMatchObject([{ id: result['task_id'], title: 'Oil the gears' }]);
  await createTask.undo?.run(reach, input, { handle, result });
  await createTask.undo?.run(reach, input, { handle, result });
  expect(tasks.size).toBe(0);
});

test('a task whose creation was cut off is found afterwards, and one that never arrived is not', async () => {
  const handle = await createTask.prepare(reach, input, attempt);
  expect(await createTask.lookup(reach, input, handle)).toMatchObject({ state: 'failed' });
  isCut = true;
  await expect(createTask.send(reach, input, handle)).rejects.toMatchObject({ delivery: 'maybe_sent' });
  expect(await createTask.lookup(reach, input, handle)).toMatchObject({
    state: 'confirmed',
    result: { task_id: [...tasks.keys()][0] },
  });
});

test('the fields of a task are shown as a person reads them', () => {
  expect(createTask.preview(input)).toMatchObject({
    title: 'Task: Oil the gears',
    fields: [{ label: 'Title', text: 'Oil the gears' }],
  });
});

test('tasks are read page by page and become pages', async () => {
  for (const id of ['1', '2', '3']) tasks.set(id, { id, title: `Task ${id}`, note: 'Soon.' });
  const reader = createReaders(reach.client, createExtraction())(reach.link, {
    known_as: 'ada@example.com',
    settings: {},
  });
  const titles: string[] = [];
  const window = source.input.parse({ since: '2026-05-01' });
  for await (const { pages } of source.read(reader, window, { now: new Date('2026-06-02'), timeZone: 'UTC' }))
    titles.push(...pages.map(({ title }) => title));
  expect(titles).toEqual(['Task 1', 'Task 2', 'Task 3']);
});

test('the guide has the example unchanged', async () => {
  const guide = await readFile(new URL('../../../docs/guide/add-a-provider.md', import.meta.url), 'utf8');
  const code = await readFile(new URL('./index.ts', import.meta.url), 'utf8');
  expect(guide).toContain(code.slice(code.indexOf('import')).trim());
});
