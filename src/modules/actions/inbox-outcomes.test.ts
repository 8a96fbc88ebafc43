// Reports to a session about finished and ambiguous drafts, depending on earlier reports.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { act, draft, settled, type Wish } from '../../../tests/support/acting.ts';
import { linkGoogle, signIn, startServerWithGoogle, type Browser } from '../../../tests/support/google.ts';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import type { TestServer } from '../../../tests/support/server.ts';
import { quickTimes } from '../../../tests/support/quick-times.ts';
import { draftStates, isSettled } from './draft-states.ts';

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
  await inDatabase('update sessions set is_human_surface = true'); // like a person who signed in by mail
});
afterAll(() => close());
afterEach(async () => {
  google.failures.clear();
  for (const { id } of (await inbox()).prompts) await hear(id);
});

const mail = (subject: string) => ({
  source: 'gmail',
  action_name: 'send_email',
  input: { to: ['noah@example.com'], subject, body: 'Hello.' },
});
const inbox = () => server.ok('list_inbox_prompts') as Promise<{ prompts: Prompt[]; text: string }>;
const hear = (id: string) => server.ok('ack_inbox_action', { id, decision: 'auto' });

/** The report about a draft, if there is any. */
async function told(id: string): Promise<(Prompt & { line: string }) | undefined> {
  const { prompts, text } = await inbox();
  const prompt = prompts.find((each) => each.id === id);
  return prompt && { ...prompt, line: text.split('\n').find((line) => line.includes(`action ${id} -->`)) ?? '' };
}

async function inDatabase(statement: string): Promise<void> {
  const database = await openAsOwner(server.connectionString);
  await database.rows(statement);
  await database.close();
}

/** Nobody decides in time, which is noticed with the next draft. */
async function expire(id: string): Promise<void> {
  await inDatabase(`update drafts set expires_at = now() - interval '1 second' where id = '${id}'`);
  await hear(await draft(server, mail(`After ${id}`)));
}

async function ambiguous(subject: string): Promise<string> {
  const id = await draft(server, mail(subject));
  google.failures.next({ method: 'POST', path: /drafts\/send/ }, { kind: 'cut', when: 'after' });
  google.failures.next({ method: 'GET', path: /^\/gmail/ }, { kind: 'status', status: 503 }, 1_000);
  await hear(id);
  expect(await server.ok('confirm_action', { draft_id: id })).toMatchObject({ status: 'ambiguous' });
  return id;
}

async function setRules(rules: object[]): Promise<void> {
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules });
}

/** An event, and a draft that gives it another name. */
async function anEvent(summary: string) {
  const times = { start: '2027-06-01T12:00:00Z', end: '2027-06-01T13:00:00Z' };
  const wish = { source: 'calendar', action_name: 'create_event', input: { summary, ...times } };
  const made = await act(server, wish);
  await hear(String(made['draft_id']));
  const { event_id } = made['result'] as { event_id: string };
  return (change: object) => ({ source: 'calendar', action_name: 'update_event', input: { event_id, ...change } });
}

test('a stale draft has its reason: a changed policy or a changed target', async () => {
  const ruled = await draft(server, mail('Against a new rule'));
  await setRules([{ effect: 'block', sources: ['gmail'] }]);
  await setRules([]);
  expect(await told(ruled)).toMatchObject({
    status: 'stale',
    line: expect.stringContaining(': Out of date: "The policy changed after this was drafted. Nothing was sent.'),
  });

  const rename = await anEvent('As it was');
  const moved = await draft(server, rename({ summary: 'As an agent wants it' }));
  await act(server, rename({ summary: 'As somebody made it' }));
  await server.ok('confirm_action', { draft_id: moved });
  expect(await told(moved)).toMatchObject({
    kind: 'notification',
    reason: expect.stringContaining('changed after this was drafted'),
    line: expect.stringContaining(': Out of date: "The target changed after this was drafted'),
  });
  expect((await told(moved))?.line).not.toContain('policy');
});

test('a draft is not listed beside the newer one that replaces it', async () => {
  const rename = await anEvent('Drafted twice');
  const first = await draft(server, rename({ summary: 'Wanted' }));
  await act(server, rename({ summary: 'Meanwhile' }));
  const second = await draft(server, rename({ summary: 'Wanted' }));
  expect(second).not.toBe(first);
  expect(await server.ok('get_action', { draft_id: first })).toMatchObject({ status: 'stale' });
  expect(await told(first)).toBeUndefined();
  expect(await told(second)).toMatchObject({ kind: 'prompt' });

  const late = await draft(server, mail('Late'));
  await expire(late);
  expect(await told(late)).toMatchObject({ status: 'expired' });
  const again = await draft(server, { ...mail('Late'), follows_id: late } as Wish);
  expect(await told(late)).toBeUndefined();
  expect(await told(again)).toMatchObject({ kind: 'prompt' });
});

test('an expired draft is reported once', async () => {
  const id = await draft(server, mail('Forgotten'));
  await expire(id);
  expect(await told(id)).toMatchObject({
    kind: 'notification',
    status: 'expired',
    reason: null,
    line: expect.stringContaining('Expired without a decision. Nothing was sent.'),
  });
  expect(await hear(id)).toMatchObject({ recorded: true });
  expect(await told(id)).toBeUndefined();
});

test('an error after the acknowledgement of a draft is reported once', async () => {
  const ids: Record<string, string> = {};
  ids['expired'] = await draft(server, mail('Heard of, and forgotten'));
  ids['stale'] = await draft(server, mail('Heard of, and ruled out'));
  for (const id of Object.values(ids)) await hear(id);
  await expire(ids['expired']);
  await setRules([{ effect: 'block', sources: ['gmail'] }]);
  await setRules([]);
  ids['failed'] = await draft(server, mail('Heard of, and refused there'));
  await hear(ids['failed']);
  google.failures.next({ method: 'POST', path: /\/drafts$/ }, { kind: 'status', status: 400 });
  await server.ok('confirm_action', { draft_id: ids['failed'] });
  ids['ambiguous'] = await ambiguous('Heard of, and nobody knows');

  for (const [status, id] of Object.entries(ids)) {
    expect(await told(id), status).toMatchObject({ kind: 'notification', status });
    expect(await hear(id), status).toMatchObject({ recorded: true });
    expect(await hear(id), status).toMatchObject({ recorded: false });
    expect(await told(id), status).toBeUndefined();
  }
});

test('the first decision of a person stays, even if a later message reports an error', async () => {
  const id = await draft(server, mail('First word'));
  const say = (decision: string) => server.ok('ack_inbox_action', { id, decision });
  expect(await say('declined')).toMatchObject({ decision: 'declined', recorded: true });
  await expire(id);
  expect(await told(id)).toMatchObject({ status: 'expired' });
  expect(await say('approved')).toMatchObject({ decision: 'declined', recorded: true });
  expect(await say('auto')).toMatchObject({ decision: 'declined', recorded: false });
  expect(await told(id)).toBeUndefined();
});

test('a person who approved on their screen learns that the draft failed, and not that it was sent', async () => {
  const [done, refused] = [await draft(server, mail('Approved')), await draft(server, mail('Approved, and refused'))];
  await browser.ok('confirm_action', { draft_id: done });
  google.failures.next({ method: 'POST', path: /\/drafts$/ }, { kind: 'status', status: 400 });
  await browser.ok('confirm_action', { draft_id: refused });
  expect(await told(done)).toBeUndefined();
  expect(await told(refused)).toMatchObject({ status: 'failed' });
});

test('an ambiguous draft is reported again once its outcome is known', async () => {
  const id = await ambiguous('Known at last');
  await hear(id);
  google.failures.clear();
  expect(await settled(server, id)).toMatchObject({ status: 'confirmed' });
  expect(await told(id)).toMatchObject({ status: 'confirmed', reason: null });
});

test('every end of a draft was told as an event', async () => {
  const times = { start: '2027-06-01T12:00:00Z', end: '2027-06-01T13:00:00Z' };
  const wish = { source: 'calendar', action_name: 'create_event', input: { summary: 'Undone', ...times } };
  const { draft_id } = await act(server, wish);
  await server.ok('undo_action', { draft_id });
  const discarded = await draft(server, mail('Discarded'));
  await server.ok('discard_action', { draft_id: discarded });
  const database = await openAsOwner(server.connectionString);
  const ends = await database.rows(`select status, count(*)::int as drafts, count(event.id)::int as told from drafts
    left join events event on event.name = 'draft.decided' and event.person_id = drafts.person_id
      and event.payload = jsonb_build_object('draft_id', drafts.id, 'status', drafts.status)
    where settled_at is not null group by status`);
  await database.close();
  expect(ends.map(({ status }) => status).toSorted()).toEqual(draftStates.filter(isSettled).toSorted());
  for (const { status, drafts, told: events } of ends) expect(events, String(status)).toBe(drafts);
});
