// An example of a provider in one file, explained in docs/guide/add-a-provider.md. The product does not include it.
import { bearer } from '#kernel/provider';
import { z } from 'zod';
import { writePath, formatText, readValue } from '#providers/http';
import { defineProvider } from '#providers/kit';
import {
  createReadApi,
  createReadValue,
  defineStream,
  defineStreamSource,
  readFields,
  type AnyStream,
  type ReadApi,
} from '#providers/reading';
import { defineWrite, line, makeOptional, text } from '#providers/writing';

const api = { baseUrl: 'https://api.tasks.example/v1' };
const taskOf = z.object({ id: z.string(), url: z.string() });
const buildResult = ({ id, url }: z.output<typeof taskOf>) => ({ task_id: id, link: url });

const createTask = defineWrite(
  { source: 'example', api },
  {
    name: 'create_task',
    summary: 'Create a task.',
    risk: 'write',
    fields: { title: line('Title'), note: makeOptional(text('Note')) },
    example: { title: 'Oil the gears' },
    editable: ['title', 'note'],
    title: (input) => `Task: ${input.title}`,
    target: () => 'tasks',
    handle: 'chosen_id', // the service keeps the id that we choose, and refuses a second task with the same id
    async send(tasks, { title, note }, { draft }) {
      const body = { id: draft.chosen_id, title, note };
      return buildResult(await tasks.write(taskOf, { method: 'POST', path: '/tasks', body }));
    },
    async find(tasks, _input, { draft }) {
      const task = await tasks.find(taskOf, { path: writePath`/tasks/${draft.chosen_id}` });
      return task && buildResult(task);
    },
    undo: {
      says: 'Delete the task',
      forMinutes: 60,
      steps: (_input, { draft }) => [{ method: 'DELETE', path: writePath`/tasks/${draft.chosen_id}` }],
    },
  },
);

function createTasks(service: ReadApi): AnyStream {
  return defineStream({
    name: 'tasks',
    type: 'task',
    listPage({ since, page }) {
      const request = { path: '/tasks', query: { updated_since: since, page: page ?? undefined } };
      return service.askPage(request, { items: 'tasks', next: (answer) => readValue(answer, 'next_page') });
    },
    since: { as: 'iso' },
    readTimes: (task) => [readValue(task, 'updated_at')],
    buildRef: (task) => formatText(readValue(task, 'id')),
    isGone: (task) => readValue(task, 'deleted') === true,
    async readItem(task) {
      const read = createReadValue(task);
      return {
        title: formatText(read('title')),
        body: formatText(read('note')),
        frontmatter: readFields(read, { link: 'url' }),
        author: formatText(read('author')),
        occurredAt: read('updated_at'),
      };
    },
  });
}

const tasks = defineStreamSource({
  name: 'example',
  label: 'Tasks',
  icon: 'ListTodo',
  description: 'Reads tasks as pages. Creates tasks after approval.',
  provider: 'example',
  scopes: [],
  coverage: {
    goesBack: 'Tasks that changed in the chosen days; then every change.',
    notRead: ['Attachments of tasks.'],
  },
  openStreams: (reader) => [createTasks(createReadApi(api, reader))],
});

export const exampleProvider = defineProvider({
  account: {
    name: 'example',
    label: 'Tasks',
    apiDomains: ['api.tasks.example'],
    oauth: null,
    token: {
      label: 'API token',
      url: 'https://tasks.example/settings',
      steps: ['Create a token.'],
      form: null,
      fields: [],
      isTokenOptional: false,
      revoke: null,
    },
    placement: { oauth: bearer, token: bearer },
    identity: {
      request: { method: 'GET', url: `${api.baseUrl}/me`, headers: { authorization: 'Bearer {token}' } },
      accountId: ['{id}'],
      account: ['{email}'],
    },
    ownPage: { label: 'Tokens', url: 'https://tasks.example/settings' },
  },
  sources: [tasks],
  actions: [createTask],
  guide: [{ source: 'Tasks', linkedBy: 'an API token', pages: 'tasks', acts: 'create tasks', targets: '`tasks`' }],
});
