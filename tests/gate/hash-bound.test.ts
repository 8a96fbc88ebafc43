// The approved content is sent: only an allowed edit changes a draft, for every caller and every way.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { startServerWithGoogle } from '../support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import type { TestServer } from '../support/server.ts';
import { describeProduct } from '../../src/server.ts';
import { createWorld, type World } from '../support/world.ts';

const operations = [...(await describeProduct()).values()].filter(({ effect }) => effect !== 'read');

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let database: OwnerDatabase;
let world: World;
let bound: string;
let asDrafted: unknown;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  database = await openAsOwner(server.connectionString);
  world = createWorld(server, google);
  bound = await createDraft();
  asDrafted = await readStoredDraft(bound);
});
afterAll(async () => {
  await database.close();
  await close();
});
beforeEach(() => google.ledger.clear());

let number = 0;
async function createDraft(): Promise<string> {
  number += 1;
  await world.make('connection'); // one that works, whatever was called before
  const input = { to: ['noah@example.com'], subject: `Bound ${number}`, body: 'As it was shown.' };
  return String(
    (await server.ok('act_on_integration', { source: 'gmail', action_name: 'send_email', input }))['draft_id'],
  );
}

/** What decides what is sent, and what was seen of it. */
async function readStoredDraft(id: string): Promise<unknown> {
  const [row] = await database.rows(
    'select payload, payload_hash, preview, source, action, connection_id, account, policy from drafts where id = $1',
    [id],
  );
  return row;
}

const others = { to: ['eve@elsewhere.org'], payload: { to: ['eve@elsewhere.org'] }, account: 'eve@elsewhere.org' };

test.for(operations.map((operation) => [operation.name, operation] as const))(
  'the operation %s does not change a pending draft',
  async ([name, operation]) => {
    const example = await world.real(operation.examples[0]?.input ?? {});
    // Its own example, with every draft id replaced by the draft and the values that belong to it.
    const ids = operation.idFields.filter(({ kind }) => kind === 'draft').map(({ path }) => path);
    const decides = [
      'confirm_action',
      'confirm_actions',
      'discard_action',
      'discard_actions',
      'edit_action',
      'extend_action',
    ].includes(name);
    for (const [field, ...inside] of decides ? [] : ids)
      await server.call(name, { ...example, [String(field)]: inside.length ? [bound] : bound });
    for (const [field, value] of Object.entries({ ...others, draft_id: bound, edits: { thread_id: 'f00' } }))
      await server.call(name, {
        ...example,
        ...(decides && { draft_id: bound, draft_ids: [bound] }),
        [field]: value,
        not_a_field: 1,
      });
    expect(await readStoredDraft(bound)).toEqual(asDrafted);
  },
);

test('edits of fields that are not editable change nothing and send nothing', async () => {
  const id = await createDraft();
  const before = await readStoredDraft(id);
  for (const edits of [
    { thread_id: 'abc' },
    { from: 'eve@elsewhere.org' },
    { to: [] },
    { to: 'x' },
    { subject: 'a\r\nBcc: eve@elsewhere.org' },
    { __proto__: null, connection_id: bound },
  ])
    expect((await server.call('confirm_action', { draft_id: id, edits })).status).toBe(422);
  expect(await readStoredDraft(id)).toEqual(before);
  expect(google.ledger.sent()).toEqual([]);
});

test.for([
  ['the payload', `payload = jsonb_set(payload, '{to}', '["eve@elsewhere.org"]')`],
  ['the action', `action = 'create_file', source = 'drive'`],
  [
    'the hash with the payload, in another form',
    `payload = payload || '{"cc": ["eve@elsewhere.org"]}', payload_hash = md5('x')`,
  ],
  [
    'what was found out',
    `target = '{"names": ["mail"], "people": null, "shown": [], "overwrites": {}, "missing": null}'`,
  ],
  [
    'how what it changes is called',
    `target = '{"names": [], "people": null, "shown": [], "about": "Lunch", "overwrites": {}, "missing": null}'`,
  ],
  ['what is shown', `preview = jsonb_set(preview, '{fields,0,text}', '"noah@example.com, the team"')`],
  ['the rule', `policy = jsonb_set(policy, '{rule,note}', '"None."')`],
])('a change of %s in the database itself is noticed before sending', async ([, change]) => {
  const id = await createDraft();
  await database.rows(`update drafts set ${change} where id = $1`, [id]);
  const { status, body } = await server.call('confirm_action', { draft_id: id });
  expect(status === 200 ? body['status'] : 'refused').toMatch(/failed|refused/);
  expect(google.ledger.sent()).toEqual([]);
});

test('a repeated confirmation, with other edits or without, sends nothing more', async () => {
  const id = await createDraft();
  const first = await server.ok('confirm_action', { draft_id: id, edits: { subject: 'Once' } });
  expect(await server.ok('confirm_action', { draft_id: id })).toEqual(first);
  expect((await server.call('confirm_action', { draft_id: id, edits: { to: ['eve@elsewhere.org'] } })).status).toBe(
    409,
  );
  expect((await server.call('discard_action', { draft_id: id })).status).toBe(409);
  expect(google.ledger.sent().map(({ subject }) => subject)).toEqual(['Once']);
});
