// Reports finished and ambiguous drafts to a session, depending on earlier reports.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { act, createActionDraft, waitForOutcome, type ActionToDraft } from '../../../tests/support/acting.ts';
import { linkGoogle, signIn, startServerWithGoogle, type Browser } from '../../../tests/support/google.ts';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import type { TestServer } from '../../../tests/support/server.ts';
import { quickTimes } from '../../../tests/support/quick-times.ts';
import { draftStates, isFinalState } from './draft-states.ts';

type Prompt = { id: string; kind: string; status: string; reason: string | null };

let server: TestServer;
let google: GoogleEmulator;
let browser: Browser;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle({
    ...quickTimes,
  }));
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  await linkGoogle(server, google);
  browser = await signIn(server);
  await runInDatabase('update sessions set is_human_surface = true'); // like a person who signed in by mail
});
afterAll(() => close());
afterEach(async () => {
  google.failures.clear();
  for (const { id } of (await readInbox()).prompts) await acknowledgePrompt(id);
});

const buildMail = (subject: string) => ({
  source: 'gmail',
  action_name: 'send_email',
  input: { to: ['noah@example.com'], subject, body: 'Hello.' },
});
const readInbox = () => server.ok('list_inbox_prompts') as Promise<{ prompts: Prompt[]; text: string }>;
const acknowledgePrompt = (id: string) => server.ok('ack_inbox_action', { id, decision: 'auto' });

/** The report about a draft, if there is any. */
async function findReport(id: string): Promise<(Prompt & { line: string }) | undefined> {
  const { prompts, text } = await readInbox();
  const prompt = prompts.find((each) => each.id === id);
  return prompt && { ...prompt, line: text.split('\n').find((line) => line.includes(`action ${id} -->`)) ?? '' };
}

async function runInDatabase(statement: string): Promise<void> {
  const database = await openAsOwner(server.connectionString);
  await database.rows(statement);
  await database.close();
}

/** Nobody decides in time; the next draft makes the server notice. */
async function expire(id: string): Promise<void> {
  await runInDatabase(`update drafts set expires_at = now() - interval '1 second' where id = '${id}'`);
  await acknowledgePrompt(await createActionDraft(server, buildMail(`After ${id}`)));
}

async function createAmbiguousDraft(subject: string): Promise<string> {
  const id = await createActionDraft(server, buildMail(subject));
  google.failures.next({ method: 'POST', path: /drafts\/send/ }, { kind: 'cut', when: 'after' });
  google.failures.next({ method: 'GET', path: /^\/gmail/ }, { kind: 'status', status: 400 }, 1_000);
  await acknowledgePrompt(id);
  expect(await server.ok('confirm_action', { draft_id: id })).toMatchObject({ status: 'ambiguous' });
  return id;
}

async function setRules(rules: object[]): Promise<void> {
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules });
}

/** An event, and a draft that renames it. */
async function createEventDraft(summary: string) {
  const times = { start: '2027-06-01T12:00:00Z', end: '2027-06-01T13:00:00Z' };
  const request = { source: 'calendar', action_name: 'create_event', input: { summary, ...times } };
  const made = await act(server, request);
  await acknowledgePrompt(String(made['draft_id']));
  const { event_id } = made['result'] as { event_id: string };
  return (change: object) => ({ source: 'calendar', action_name: 'update_event', input: { event_id, ...change } });
}

test('a stale draft has its reason: a changed policy or a changed target', async () => {
  const staleDraft = await createActionDraft(server, buildMail('Against a new rule'));
  await setRules([{ effect: 'block', sources: ['gmail'] }]);
  await setRules([]);
  expect(await findReport(staleDraft)).toMatchObject({
    status: 'stale',
    line: expect.stringContaining(': Out of date: "The policy changed after this was drafted. Nothing was sent.'),
  });

  const rename = await createEventDraft('As it was');
  const moved = await createActionDraft(server, rename({ summary: 'As an agent wants it' }));
  await act(server, rename({ summary: 'As somebody made it' }));
  await server.ok('confirm_action', { draft_id: moved });
  expect(await findReport(moved)).toMatchObject({
    kind: 'notification',
    reason: expect.stringContaining('changed after this was drafted'),
    line: expect.stringContaining(': Out of date: "The target changed after this was drafted'),
  });
  expect((await findReport(moved))?.line).not.toContain('policy');
});

test('a draft is not listed beside the newer one that replaces it', async () => {
  const rename = await createEventDraft('Drafted twice');
  const first = await createActionDraft(server, rename({ summary: 'Wanted' }));
  await act(server, rename({ summary: 'Meanwhile' }));
  const second = await createActionDraft(server, rename({ summary: 'Wanted' }));
  expect(second).not.toBe(first);
  expect(await server.ok('get_action', { draft_id: first })).toMatchObject({ status: 'stale' });
  expect(await findReport(first)).toBeUndefined();
  expect(await findReport(second)).toMatchObject({ kind: 'prompt' });

  const late = await createActionDraft(server, buildMail('Late'));
  await expire(late);
  expect(await findReport(late)).toMatchObject({ status: 'expired' });
  const again = await createActionDraft(server, { ...buildMail('Late'), follows_id: late } as ActionToDraft);
  expect(await findReport(late)).toBeUndefined();
  expect(await findReport(again)).toMatchObject({ kind: 'prompt' });
});

test('an expired draft is reported once', async () => {
  const id = await createActionDraft(server, buildMail('Forgotten'));
  await expire(id);
  expect(await findReport(id)).toMatchObject({
    kind: 'notification',
    status: 'expired',
    reason: null,
    line: expect.stringContaining('Expired without a decision. Nothing was sent.'),
  });
  expect(await acknowledgePrompt(id)).toMatchObject({ recorded: true });
  expect(await findReport(id)).toBeUndefined();
});

test('an error after a draft was acknowledged is reported once', async () => {
  const ids: Record<string, string> = {};
  ids['expired'] = await createActionDraft(server, buildMail('Reported, and forgotten'));
  ids['stale'] = await createActionDraft(server, buildMail('Reported, and out of date'));
  for (const id of Object.values(ids)) await acknowledgePrompt(id);
  await expire(ids['expired']);
  await setRules([{ effect: 'block', sources: ['gmail'] }]);
  await setRules([]);
  ids['failed'] = await createActionDraft(server, buildMail('Reported, and refused there'));
  await acknowledgePrompt(ids['failed']);
  google.failures.next({ method: 'POST', path: /\/drafts$/ }, { kind: 'status', status: 400 });
  await server.ok('confirm_action', { draft_id: ids['failed'] });
  ids['ambiguous'] = await createAmbiguousDraft('Reported, with an unknown outcome');

  for (const [status, id] of Object.entries(ids)) {
    expect(await findReport(id), status).toMatchObject({ kind: 'notification', status });
    expect(await acknowledgePrompt(id), status).toMatchObject({ recorded: true });
    expect(await acknowledgePrompt(id), status).toMatchObject({ recorded: false });
    expect(await findReport(id), status).toBeUndefined();
  }
});

test('the first decision of a person stays, even if a later message reports an error', async () => {
  const id = await createActionDraft(server, buildMail('First word'));
  const say = (decision: string) => server.ok('ack_inbox_action', { id, decision });
  expect(await say('declined')).toMatchObject({ decision: 'declined', recorded: true });
  await expire(id);
  expect(await findReport(id)).toMatchObject({ status: 'expired' });
  expect(await say('approved')).toMatchObject({ decision: 'declined', recorded: true });
  expect(await say('auto')).toMatchObject({ decision: 'declined', recorded: false });
  expect(await findReport(id)).toBeUndefined();
});

test('a person who approved on their screen learns that the draft failed, and not that it was sent', async () => {
  const [done, refused] = [
    await createActionDraft(server, buildMail('Approved')),
    await createActionDraft(server, buildMail('Approved, and refused')),
  ];
  await browser.ok('confirm_action', { draft_id: done });
  google.failures.next({ method: 'POST', path: /\/drafts$/ }, { kind: 'status', status: 400 });
  await browser.ok('confirm_action', { draft_id: refused });
  expect(await findReport(done)).toBeUndefined();
  expect(await findReport(refused)).toMatchObject({ status: 'failed' });
});

test('an ambiguous draft is reported again once its outcome is known', async () => {
  const id = await createAmbiguousDraft('Known at last');
  await acknowledgePrompt(id);
  google.failures.clear();
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'confirmed' });
  expect(await findReport(id)).toMatchObject({ status: 'confirmed', reason: null });
});

test('every end of a draft was emitted as an event', async () => {
  const times = { start: '2027-06-01T12:00:00Z', end: '2027-06-01T13:00:00Z' };
  const request = { source: 'calendar', action_name: 'create_event', input: { summary: 'Undone', ...times } };
  const { draft_id } = await act(server, request);
  await server.ok('undo_action', { draft_id });
  const discarded = await createActionDraft(server, buildMail('Discarded'));
  await server.ok('discard_action', { draft_id: discarded });
  const database = await openAsOwner(server.connectionString);
  const ends = await database.rows(`select status, count(*)::int as drafts, count(event.id)::int as told from drafts
    left join events event on event.name = 'draft.decided' and event.person_id = drafts.person_id
      and event.payload = jsonb_build_object('draft_id', drafts.id, 'status', drafts.status)
    where settled_at is not null group by status`);
  await database.close();
  expect(ends.map(({ status }) => status).toSorted()).toEqual(draftStates.filter(isFinalState).toSorted());
  for (const { status, drafts, told: events } of ends) expect(events, String(status)).toBe(drafts);
});
