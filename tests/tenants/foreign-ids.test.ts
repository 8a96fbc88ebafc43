import type { IdField } from '#kernel/ids';
import type { Operation } from '#kernel/operation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeProduct } from '../../src/server.ts';
import type { GoogleEmulator } from '#emulators/google/index';
import { signInOwner } from '../support/colleague.ts';
import { addConnectedClient, issueClientToken } from '../support/connected-client.ts';
import { selectByDepth } from '../support/depth.ts';
import { startServerWithGoogle } from '../support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { addPerson } from '../support/second-person.ts';
import { addWorkspace } from '../support/second-workspace.ts';
import { reachServer, type Answer, type TestServer } from '../support/server.ts';
import { createMemoizedWorld, type WorldKind, type World } from '../support/world.ts';

const operations = [...(await describeProduct()).values()];
const fields = operations.flatMap((operation) =>
  operation.idFields.map((field): [string, string, Operation, IdField] => [
    operation.name,
    field.path.join('.'),
    operation,
    field,
  ]),
);

/** Shaped like ours, and of nothing that ever was. */
const noId = '01920000-0000-7000-8000-00000000dead';

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let database: OwnerDatabase;
let mine: World;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  database = await openAsOwner(server.connectionString);
  mine = createMemoizedWorld(server, google);
});
afterAll(async () => {
  await database.close();
  await close();
});

/** What else an operation needs beside an id that no example has, by operation and field. */
const inputsWithoutExample: Record<string, object> = { 'undo_contradiction_dismissal.brain_id': { kind: 'number' } };

/** Two inputs that differ in the id at one field, and hold whatever else the operation needs. */
async function buildInputPair(operation: Operation, { path: [name = '', ...inside] }: IdField, ids: [string, string]) {
  const given = inputsWithoutExample[`${operation.name}.${name}`];
  const { examples } = operation;
  const usual = (examples.find(({ input }) => name in input) ?? examples[0])?.input ?? {};
  const example = given ?? (await mine.real(usual));
  return ids.map((id) => ({ ...example, [name]: wrapId(inside, id, besideIds[name]) }));
}

/** What a list element needs beside an id, by the field of the list. */
const besideIds: Record<string, object> = { roster: { part: 'Leads' }, kpis: { name: 'Rows' } };

/** An id in the lists and objects of its path. */
function wrapId([head, ...rest]: readonly string[], id: string, beside: object = {}): unknown {
  if (head === undefined) return id;
  return head === '*' ? [wrapId(rest, id, beside)] : { ...beside, [head]: wrapId(rest, id, besideIds[head]) };
}

function withoutRequestId({ status, body }: Answer): unknown {
  const { request_id: _differs, ...answer } = body;
  return { status, answer };
}

/** Calls with somebody else's id and with one that never was: the same answer, and nothing changes. */
async function expectNotThere(operation: Operation, field: IdField, foreign: string): Promise<void> {
  const inputs = await buildInputPair(operation, field, [foreign, noId]);
  const before = await database.state();
  const answers: Answer[] = [];
  for (const input of inputs) answers.push(await server.call(operation.name, input));
  const [answer, never] = answers;
  expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(answer && withoutRequestId(answer)).toEqual(never && withoutRequestId(never));
  expect(JSON.stringify(answer?.body)).not.toContain(foreign);
  expect(await database.state()).toEqual(before);
}

test('there are operations that take ids of every kind', () => {
  const kinds = [
    'workspace',
    'own_workspace',
    'person',
    'invitation',
    'brain',
    'member',
    'core_knowledge',
    'skill',
    'suggestion',
    'memory',
    'memory_session',
    'memory_merge',
    'page',
    'attachment',
    'draft',
    'approver',
    'connection',
    'sync',
    'key',
    'session',
    'connected_client',
    'permission_set',
    'automation',
    'board',
    'board_form',
    'board_link',
    'board_link_to_end',
    'workflow',
    'dataset_recipe',
    'installed_entity',
    'uninstalled_entity',
    'recipe',
    'recipe_install',
    'install',
    'automation_run',
    'automation_change',
    'connector',
    'connector_route',
    'routing_review',
    'chat',
    'document',
    'import',
    'variable_scope',
    'webhook_connector',
    'webhook_event',
    'webhook_fixture',
    'output_destination',
    'output_route',
    'output_delivery',
  ];
  expect(new Set(fields.map(([, , , { kind }]) => kind))).toEqual(new Set(kinds));
});

/** Of which kind an id of another kind is; a brain for the rest. A brain is one of the things that hold variables. */
const otherThan: Record<string, WorldKind> = { brain: 'key', variable_scope: 'memory' };

// What is refused here is refused by the same look-up as what another workspace has.
test.for(selectByDepth(fields, fields.slice(0, 20)))(
  '%s: an id of another kind does not exist as %s',
  async ([, , operation, field]) => {
    await expectNotThere(operation, field, await mine.make(otherThan[field.kind] ?? 'brain'));
  },
);

describe('an item of another workspace', () => {
  let theirs: World;
  let theirKey: string;
  beforeAll(async () => {
    theirKey = (await addWorkspace(server)).key;
    theirs = createMemoizedWorld(reachServer(server.url, theirKey), google, 'mallory@example.com');
  });

  test.for(fields)('does not exist for %s as %s', async ([, , operation, field]) => {
    await expectNotThere(operation, field, await theirs.make(field.kind));
  });

  type Ask = (operation: string, input: unknown) => Promise<Answer>;
  const withKey =
    (key: string): Ask =>
    (operation, input) =>
      server.call(operation, input, { key });
  const webhookToken = async () => {
    const given = { name: 'Sender', source: 'make', connector_type: 'personal' } as const;
    return String((await server.ok('create_connector', given)).webhook_token);
  };
  /** Every kind of caller that presents a credential. Calls of phones and of code go the same way, within the server. */
  const callers: readonly (readonly [string, () => Promise<Ask>])[] = [
    ['a person at the console', async () => (await signInOwner(server, database)).call],
    ['a key for an agent', async () => withKey((await server.ok('create_key', { label: 'Agent' })).key)],
    [
      'a connected client',
      async () => withKey(await issueClientToken(server, await addConnectedClient(server, 'Client'))),
    ],
    ['a webhook token', async () => withKey(await webhookToken())],
  ];

  test.for(callers)('looks to %s like an item that never existed, for every operation', async ([, enter]) => {
    const ask = await enter();
    for (const [name, path, operation, field] of fields) {
      const inputs = await buildInputPair(operation, field, [await theirs.make(field.kind), noId]);
      const [foreign, never] = [await ask(name, inputs[0]), await ask(name, inputs[1])];
      expect([403, 404], `${name} ${path}`).toContain(foreign.status);
      expect(withoutRequestId(foreign), `${name} ${path}`).toEqual(withoutRequestId(never));
    }
  });

  test('exists for its own workspace', async () => {
    const { id } = await server.ok('add_memory', { content: 'The kiln is theirs.' }, { key: theirKey });
    expect((await server.call('archive_memory', { id })).status).toBe(404);
    expect((await server.call('archive_memory', { id }, { key: theirKey })).status).toBe(200);
  });

  test('is neither listed, nor found, nor read by its slug', async () => {
    const page = await theirs.make('page');
    const { slug } = await server.ok('get_page', { id: page }, { key: theirKey });
    await server.ok('add_memory', { content: 'The violin belongs to the collection.' }, { key: theirKey });
    expect((await server.call('get_page', { slug })).status).toBe(404);
    for (const [name, input] of [
      ['list_pages', {}],
      ['query', {}],
      ['search', { q: 'budget' }],
      ['list_memories', {}],
      ['search_memory', { q: 'collection' }],
      ['list_brains', {}],
      ['list_keys', {}],
      ['list_actions', {}],
      ['list_integrations', {}],
      ['load_brain', {}],
    ] as const) {
      const [own, others] = [await server.ok(name, input), await server.ok(name, input, { key: theirKey })];
      const shared = listIds(own).filter((id) => listIds(others).includes(id));
      expect(shared, name).toEqual([]);
      expect(listIds(others).length + listIds(own).length, name).toBeGreaterThan(0);
    }
  });
});

describe('a private item of another person in the workspace', () => {
  let theirs: World;
  beforeAll(async () => {
    theirs = createMemoizedWorld(reachServer(server.url, (await addPerson(database)).key), google, 'grace@example.com');
  });
  const personal = fields.filter(([, , , { kind }]) => ['memory_session', 'draft', 'connection'].includes(kind));

  test.for(personal)('does not exist for %s as %s', async ([, , operation, field]) => {
    await expectNotThere(operation, field, await theirs.make(field.kind));
  });

  test('a memory in their personal brain does not exist for the owner', async () => {
    const id = await theirs.make('memory');
    expect((await server.call('archive_memory', { id })).status).toBe(404);
  });
});

function listIds(body: unknown): string[] {
  return JSON.stringify(body).match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? [];
}
