import { listRoleScopes } from '#kernel/scopes';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { joinAs, signInOwner, type SignedIn } from '../../../../tests/support/colleague.ts';
import { linkGoogle, startServerWithGoogle } from '../../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { addWorkspace } from '../../../../tests/support/second-workspace.ts';
import { reachServer, type TestServer } from '../../../../tests/support/server.ts';
import { quickTimes } from '../../../../tests/support/quick-times.ts';

let server: TestServer;
let google: GoogleEmulator;
let database: OwnerDatabase;
let close: () => Promise<void>;
/** The owner of the drafts, her approver, and another person of the workspace. */
let [ada, grace, bob]: [SignedIn, SignedIn, SignedIn] = [] as never;
let installId: string;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle({
    ...quickTimes,
  }));
  database = await openAsOwner(server.connectionString);
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  installId = (await linkGoogle(server, google)).connectionId;
  grace = await joinAs(server, database, 'grace@example.com');
  bob = await joinAs(server, database, 'bob@example.com');
  ada = await signInOwner(server, database);
});
afterAll(async () => {
  await database.close();
  await close();
});
beforeEach(() => {
  google.failures.clear();
  google.ledger.clear();
});
afterEach(async () => {
  for (const person of [ada, grace, bob]) {
    const { approvers } = await person.ok('list_approvers');
    for (const { approver_id } of approvers as { approver_id: string }[])
      await person.ok('withdraw_approver', { approver_id });
  }
});

let number = 0;
async function createDraft(more: object = {}): Promise<string> {
  number += 1;
  const input = { to: ['noah@example.com'], subject: `Delegated ${number}`, body: 'Hello.' };
  const request = { install_id: installId, action_name: 'send_email', input, ...more };
  return String((await server.ok('act_on_integration', request))['draft_id']);
}
const createEventDraft = () => {
  number += 1;
  const times = { start: '2027-06-01T12:00:00Z', end: '2027-06-01T13:00:00Z' };
  return createDraft({ action_name: 'create_event', input: { summary: `Meeting ${number}`, ...times } });
};
const addApprover = async (more: object = {}, by = ada) =>
  String((await by.ok('name_approver', { email: 'grace@example.com', ...more }))['approver_id']);
const listIds = (drafts: unknown) => (drafts as { draft_id: string }[]).map(({ draft_id }) => draft_id);
const listPendingIds = async (person: SignedIn) =>
  listIds((await person.ok('list_pending_actions', { limit: 100 }))['drafts']);
const listSentSubjects = () => google.ledger.sent().map(({ subject }) => subject);

/** A draft that a person may not see does not exist for them, in any operation. */
async function expectNotThere(person: SignedIn, id: string): Promise<void> {
  for (const [operation, input] of [
    ['get_action', { draft_id: id }],
    ['confirm_action', { draft_id: id }],
    ['confirm_actions', { draft_ids: [id] }],
    ['discard_action', { draft_id: id }],
    ['discard_actions', { draft_ids: [id] }],
    ['answer_action', { draft_id: id, answer: 'it_happened' }],
    ['undo_action', { draft_id: id }],
    ['explain_policy', { draft_id: id }],
    ['ack_inbox_action', { id, decision: 'auto' }],
  ] as const)
    expect((await person.call(operation, input)).body, operation).toMatchObject({ code: 'not_found' });
  expect(await listPendingIds(person)).not.toContain(id);
  expect(listIds((await person.ok('list_actions', { limit: 200 }))['actions'])).not.toContain(id);
}

test('a delegate sees the drafts and their owner, and confirms them through the owner’s account', async () => {
  const before = await createDraft();
  await expectNotThere(grace, before);
  const naming = await addApprover();
  const after = await createDraft();
  expect(await listPendingIds(grace)).toEqual(expect.arrayContaining([before, after]));
  expect((await grace.ok('list_pending_actions'))['total']).toBe((await ada.ok('list_pending_actions'))['total']);
  expect(await grace.ok('get_action', { draft_id: after })).toMatchObject({
    delegated_by: 'Owner',
    account: 'ada@example.com',
  });
  expect(await ada.ok('get_action', { draft_id: after })).toMatchObject({ delegated_by: null });

  const outcome = await grace.ok('confirm_action', { draft_id: after, edits: { subject: 'As Grace would say it' } });
  expect(outcome).toMatchObject({ status: 'confirmed' });
  expect(google.ledger.sent()).toEqual([
    expect.objectContaining({ account: 'ada@example.com', subject: 'As Grace would say it' }),
  ]);
  expect(await ada.ok('confirm_action', { draft_id: after })).toEqual(outcome);
  const action = await ada.ok('get_action', { draft_id: after });
  expect(action).toMatchObject({ decided_by: 'Grace', ledger_is_whole: true });
  const decided = (action['ledger'] as { step: string; detail: object }[]).find(({ step }) => step === 'decided');
  expect(decided?.detail).toMatchObject({ by: 'Grace', named_by: 'Owner', naming_id: naming, human_surface: true });

  await grace.ok('discard_action', { draft_id: before });
  const declined = (await ada.ok('get_action', { draft_id: before }))['ledger'] as { step: string; detail: object }[];
  expect(declined.at(-1)).toMatchObject({ step: 'discarded', detail: { by: 'Grace', named_by: 'Owner' } });
  // Grace decided the earlier one, and Ada's own decisions name no delegation.
  const own = await createDraft();
  await ada.ok('confirm_action', { draft_id: own });
  expect(JSON.stringify((await ada.ok('get_action', { draft_id: own }))['ledger'])).not.toContain('named_by');
});

test('a delegate of some drafts does not find the others', async () => {
  await addApprover({ sources: ['calendar'] });
  const [mail, meeting] = [await createDraft(), await createEventDraft()];
  await expectNotThere(grace, mail);
  expect(await listPendingIds(grace)).toEqual([meeting]);
  await addApprover({ actions: ['send_email'] });
  expect((await listPendingIds(grace)).toSorted()).toEqual([mail, meeting].toSorted());
  await expectNotThere(bob, mail);
  await ada.ok('discard_actions', { draft_ids: [mail, meeting] });
});

test('a delegate does not see drafts that ended before the delegation', async () => {
  const [declined, sent, late] = [await createDraft(), await createDraft(), await createDraft()];
  await ada.ok('discard_action', { draft_id: declined });
  await ada.ok('confirm_action', { draft_id: sent });
  await database.rows(`update drafts set expires_at = now() - interval '1 minute' where id = $1`, [late]);
  const open = await createDraft();
  await addApprover();
  for (const id of [declined, sent, late]) await expectNotThere(grace, id);
  await ada.ok('discard_action', { draft_id: open });
  expect(await grace.ok('get_action', { draft_id: open })).toMatchObject({ status: 'discarded' });
  expect(listIds((await grace.ok('list_actions', { limit: 200 }))['actions'])).toEqual([open]);
});

test("an approver's keys see nothing of the delegation, nor does a session that a key opened", async () => {
  await addApprover();
  const id = await createDraft();
  const keys = [
    await grace.ok('create_key', { label: 'All', scopes: [...listRoleScopes('member')] }),
    await grace.ok('create_key', { label: 'Agent' }),
    await grace.ok('create_key', { label: 'One brain', scopes: [...listRoleScopes('member')], reach: 'brain' }),
  ].map(({ key }) => String(key));
  for (const key of keys) {
    expect((await server.call('get_action', { draft_id: id }, { key })).body).toMatchObject({ code: 'not_found' });
    expect((await server.call('confirm_action', { draft_id: id }, { key })).status).not.toBe(200);
    expect((await server.call('discard_action', { draft_id: id }, { key })).body).toMatchObject({ code: 'not_found' });
    expect((await server.ok('list_pending_actions', {}, { key }))['drafts']).toEqual([]);
  }
  await database.rows('update sessions set is_human_surface = false where person_id = $1', [grace.personId]);
  await new Promise((resolve) => setTimeout(resolve, 1_200)); // a caller is cached for a second
  await expectNotThere(grace, id);
  await database.rows('update sessions set is_human_surface = true');
  await new Promise((resolve) => setTimeout(resolve, 1_200)); // a caller is cached for a second
  expect(await listPendingIds(grace)).toContain(id);
  expect(listSentSubjects()).toEqual([]);
});

test('an approver reads nothing else of the owner, and delegates nothing further', async () => {
  await addApprover();
  await addApprover({ email: 'bob@example.com' }, grace);
  const id = await createDraft();
  await expectNotThere(bob, id);
  const memory = String((await server.ok('add_memory', { content: 'Ada keeps a zeppelin in the shed' }))['id']);
  expect((await grace.ok('search_memory', { q: 'zeppelin' }))['memories']).toEqual([]);
  expect((await grace.call('archive_memory', { id: memory, reason: 'x' })).status).toBe(404);
  await server.ok('fetch_from_integration', { source: 'gmail', input: { query: 'in:inbox' } });
  expect((await grace.ok('list_pages'))['pages']).toEqual([]);
  expect(JSON.stringify(await grace.ok('list_integrations'))).not.toContain('ada@example.com');
  await ada.ok('discard_action', { draft_id: id });
});

test('a delegation ends at once when either of the two withdraws it', async () => {
  for (const who of [ada, grace]) {
    const naming = await addApprover();
    const id = await createDraft();
    expect(await listPendingIds(grace)).toContain(id);
    await who.ok('withdraw_approver', { approver_id: naming });
    await expectNotThere(grace, id);
    expect(await grace.ok('list_approvers')).toEqual({ approvers: [], named_by: [] });
    expect(await ada.ok('discard_action', { draft_id: id })).toMatchObject({ status: 'discarded' });
    await who.ok('withdraw_approver', { approver_id: naming });
  }
});

test('a delegation ends when it expires or either person leaves', async () => {
  const until = new Date(Date.now() + 2_000).toISOString();
  const naming = await addApprover({ until });
  const id = await createDraft();
  expect(await listPendingIds(grace)).toContain(id);
  await expect.poll(() => listPendingIds(grace), { timeout: 5_000 }).not.toContain(id);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until));
  await expectNotThere(grace, id);
  expect(await ada.ok('list_approvers')).toMatchObject({ approvers: [] });
  expect((await ada.call('name_approver', { email: 'grace@example.com', until })).body).toMatchObject({
    code: 'invalid_input',
  });
  // Adding her again makes another delegation, because the first one ended.
  expect(await addApprover()).not.toBe(naming);

  const carol = await joinAs(server, database, 'carol@example.com');
  await addApprover({ email: 'carol@example.com' });
  expect(await listPendingIds(carol)).toContain(id);
  await database.rows(`set session_replication_role = replica`); // as if no other delegation named her
  await database.rows('delete from people where id = $1', [carol.personId]);
  await database.rows(`set session_replication_role = origin`);
  const { approvers } = await ada.ok('list_approvers');
  expect((approvers as { name: string }[]).map((each) => each.name)).toEqual(['Grace']);
  await expect.poll(async () => (await carol.call('list_pending_actions')).status, { timeout: 3_000 }).toBe(401);
  await ada.ok('discard_action', { draft_id: id });
});

test('a withdrawal during the approval of a batch ends the approval there', async () => {
  const naming = await addApprover();
  const ids = [await createDraft(), await createDraft(), await createDraft()];
  const pausedRequest = google.failures.pause({ path: /drafts\/send/ }, 'before');
  const approving = grace.ok('confirm_actions', { draft_ids: ids });
  await pausedRequest.reached;
  await ada.ok('withdraw_approver', { approver_id: naming });
  pausedRequest.release();
  const { results } = await approving;
  expect((results as { status: string }[]).map(({ status }) => status)).toEqual(['confirmed', 'failed', 'failed']);
  expect(google.ledger.sent()).toHaveLength(1);
  await ada.ok('discard_actions', { draft_ids: ids.slice(1) });
});

test('two approvers and the owner who approve at once send one mail and get the same answer', async () => {
  await addApprover();
  await addApprover({ email: 'bob@example.com' });
  const id = await createDraft();
  const people = [ada, grace, bob, ada, grace, bob];
  const outcomes = await Promise.all(people.map((person) => person.ok('confirm_action', { draft_id: id })));
  expect(outcomes.map(({ status }) => status)).toEqual(people.map(() => 'confirmed'));
  expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
  expect(google.ledger.sent()).toHaveLength(1);
});

describe('the power of an approver', () => {
  test('is limited to what the policy lets a person decide', async () => {
    await addApprover();
    const { version } = await server.ok('get_policy');
    const rules = [{ effect: 'require_human', actions: ['send_email'] }];
    const set = await server.ok('set_policy', { version, rules });
    const id = await createDraft();
    expect(await grace.ok('confirm_action', { draft_id: id })).toMatchObject({ status: 'confirmed' });
    const stale = await createDraft();
    await server.ok('set_policy', { version: set['version'], rules: [{ effect: 'block', actions: ['send_email'] }] });
    expect((await grace.call('confirm_action', { draft_id: stale })).status).toBe(409);
    await server.ok('set_policy', { version: Number(set['version']) + 1, rules: [] });
    expect(google.ledger.sent()).toHaveLength(1);
  });

  test('includes undoing, and the ledger names the delegation', async () => {
    const naming = await addApprover();
    const id = await createEventDraft();
    await ada.ok('confirm_action', { draft_id: id });
    expect((await bob.call('undo_action', { draft_id: id })).status).toBe(404);
    expect(await grace.ok('undo_action', { draft_id: id })).toEqual({ draft_id: id, status: 'undone' });
    const ledger = (await ada.ok('get_action', { draft_id: id }))['ledger'] as { step: string; detail: object }[];
    expect(ledger.find(({ step }) => step === 'undoing')?.detail).toMatchObject({ by: 'Grace', naming_id: naming });
  });

  test('includes ambiguous drafts: a draft that is sent again belongs to the owner and uses the owner’s account', async () => {
    await addApprover();
    const id = await createDraft();
    google.failures.next({ method: 'POST', path: /drafts\/send/ }, { kind: 'cut', when: 'before' });
    google.failures.next({ method: 'GET', path: /^\/gmail/ }, { kind: 'status', status: 400 }, 1_000);
    expect(await grace.ok('confirm_action', { draft_id: id })).toMatchObject({ status: 'ambiguous' });
    let answered: Record<string, unknown> = {};
    await expect
      .poll(
        async () =>
          (answered = await grace.ok('answer_action', { draft_id: id, answer: 'send_again' }).catch(() => ({}))),
        {
          timeout: 8_000,
        },
      )
      .toMatchObject({ status: 'failed' });
    google.failures.clear();
    const again = (answered['again'] as { draft_id: string }).draft_id;
    expect(await ada.ok('get_action', { draft_id: again })).toMatchObject({
      delegated_by: null,
      follows_id: id,
      account: 'ada@example.com',
    });
    expect(await grace.ok('get_action', { draft_id: again })).toMatchObject({ delegated_by: 'Owner' });
    await grace.ok('confirm_action', { draft_id: again });
    expect(google.ledger.sent()).toMatchObject([{ account: 'ada@example.com' }]);
  });
});

describe('adding an approver', () => {
  test('accepts people of the workspace, not oneself, and existing filters', async () => {
    await addWorkspace(server);
    const refused = async (input: object) => (await ada.call('name_approver', input)).body['code'];
    expect(await refused({ email: 'nobody@example.com' })).toBe('not_found');
    expect(await refused({ email: 'mallory@others.example' })).toBe('not_found');
    expect(await refused({ email: 'owner@localhost' })).toBe('invalid_input');
    expect(await refused({ email: 'grace@example.com', sources: ['pigeons'] })).toBe('invalid_input');
    expect(await refused({ email: 'grace@example.com', actions: ['fly'] })).toBe('invalid_input');
  });

  test('with the same drafts twice changes the end of the delegation, also at once', async () => {
    expect(new Set(await Promise.all([addApprover(), addApprover(), addApprover(), addApprover()])).size).toBe(1);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const id = await addApprover({ until });
    expect(await addApprover()).toBe(id);
    expect(await ada.ok('list_approvers')).toMatchObject({
      approvers: [{ approver_id: id, name: 'Grace', email: 'grace@example.com', sources: null, until: null }],
    });
    expect(await grace.ok('list_approvers')).toMatchObject({
      approvers: [],
      named_by: [{ approver_id: id, name: 'Owner' }],
    });
  });

  test('with the same drafts in another order changes the same delegation', async () => {
    const id = await addApprover({ sources: ['gmail', 'calendar'], actions: ['send_email', 'create_event'] });
    const again = { sources: ['calendar', 'gmail', 'calendar'], actions: ['create_event', 'send_email'] };
    expect(await addApprover(again)).toBe(id);
    expect((await ada.ok('list_approvers'))['approvers']).toMatchObject([
      { sources: ['calendar', 'gmail'], actions: ['create_event', 'send_email'] },
    ]);
  });

  test('is refused when a hundred people already delegate to the same person, also at once', async () => {
    await database.rows(`with others as (
        insert into people (id, workspace_id, email, name, role, created_at)
        select gen_random_uuid(), workspace_id, 'other-' || n || '@example.com', 'Other', 'member', now()
        from people, generate_series(1, 99) n where email = 'grace@example.com' returning id, workspace_id)
      insert into approvers (id, workspace_id, person_id, approver_id, created_at)
      select gen_random_uuid(), others.workspace_id, others.id, grace.id, now()
      from others, people grace where grace.email = 'grace@example.com'`);
    const answers = await Promise.all(
      [ada, bob].map((person) => person.call('name_approver', { email: 'grace@example.com' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body['detail']).toContain('Name another person');
    const [named] = answers[0]?.status === 200 ? [ada] : [bob];
    expect(await named?.call('name_approver', { email: 'grace@example.com', sources: ['gmail'] })).toMatchObject({
      status: 200,
    });
    await database.rows(`delete from people where email like 'other-%'`);
  });

  test('is visible to the two people only', async () => {
    const id = await addApprover();
    expect((await bob.call('withdraw_approver', { approver_id: id })).body).toMatchObject({ code: 'not_found' });
    const others = reachServer(server.url, (await addWorkspace(server)).key);
    expect((await others.call('withdraw_approver', { approver_id: id })).status).toBe(404);
    expect(await bob.ok('list_approvers')).toEqual({ approvers: [], named_by: [] });
  });
});
