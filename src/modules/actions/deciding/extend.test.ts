import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinAs, signInOwner, type SignedIn } from '../../../../tests/support/colleague.ts';
import { startHttpRecorder, type HttpRecorder } from '../../../../tests/support/http-recorder.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

let server: TestServer;
let outside: HttpRecorder;
let database: OwnerDatabase;
let [ada, grace]: [SignedIn, SignedIn] = [] as never;

beforeAll(async () => {
  outside = await startHttpRecorder();
  server = await startTestServer({ THALAMUS_EGRESS_ALLOW: outside.url });
  database = await openAsOwner(server.connectionString);
  grace = await joinAs(server, database, 'grace@example.com');
  ada = await signInOwner(server, database);
});
afterAll(async () => {
  await database.close();
  await server.close();
  await outside.close();
});

let made = 0;
async function createDraft(key = server.key): Promise<string> {
  const body = JSON.stringify({ extended: (made += 1) });
  const drafted = await server.ok('http_fetch', { url: `${outside.url}/x`, method: 'POST', body }, { key });
  return String(drafted['draft_id']);
}
type ShownDraft = { expires_at: string; created_at: string; content_hash: string; status: string; ledger: Step[] };
type Step = { step: string; detail: Record<string, unknown> };
const readDraft = async (draft_id: string) => (await ada.ok('get_action', { draft_id })) as ShownDraft;
const computeMinutesLeft = ({ expires_at }: Pick<ShownDraft, 'expires_at'>) =>
  (Date.parse(expires_at) - Date.now()) / 60_000;

test('a person extends a draft by a day, which the ledger and an event record, and its content stays approved as shown', async () => {
  const draft_id = await createDraft();
  const before = await readDraft(draft_id);
  const answer = (await ada.ok('extend_action', { draft_id, expires_in_minutes: 1_440 })) as ShownDraft;
  expect(computeMinutesLeft(answer)).toBeGreaterThan(1_435);
  const after = await readDraft(draft_id);
  expect(after).toMatchObject({ status: 'pending', expires_at: answer.expires_at, content_hash: before.content_hash });
  expect(after.ledger.at(-1)).toMatchObject({
    step: 'extended',
    detail: { human_surface: true, was_until: before.expires_at, until: answer.expires_at },
  });
  const extendedEvents = await database.rows(`select payload from events where name = 'draft.extended'`);
  expect(extendedEvents).toEqual([{ payload: { draft_id, expires_at: answer.expires_at } }]);
  expect(await ada.ok('confirm_action', { draft_id })).toMatchObject({ status: 'confirmed' });
});

test('extending twice has the effect of extending once, and a shorter time changes nothing', async () => {
  const draft_id = await createDraft();
  const once = (await ada.ok('extend_action', { draft_id, expires_in_minutes: 2_000 })) as ShownDraft;
  for (const expires_in_minutes of [2_000, 5])
    expect(await ada.ok('extend_action', { draft_id, expires_in_minutes })).toMatchObject({
      expires_at: once.expires_at,
    });
  const { ledger } = await readDraft(draft_id);
  expect(ledger.filter(({ step }) => step === 'extended')).toHaveLength(1);
});

test('a draft waits at most seven days from when it was drafted, however often it is extended', async () => {
  const draft_id = await createDraft();
  await database.rows(`update drafts set created_at = created_at - interval '6 days' where id = $1`, [draft_id]);
  for (let each = 0; each < 2; each += 1) {
    const { created_at, expires_at } = (await ada.ok('extend_action', {
      draft_id,
      expires_in_minutes: 10_080,
    })) as ShownDraft;
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(7 * 24 * 3_600_000);
  }
  expect((await ada.call('extend_action', { draft_id, expires_in_minutes: 10_081 })).status).toBe(422);
});

test('an agent cannot extend any draft, not even its own, and the error says who can', async () => {
  const plain = String((await server.ok('create_key', { label: 'Plain' }))['key']);
  const scopes = ['actions:read', 'actions:draft', 'actions:confirm', 'integrations:fetch'];
  const approving = String((await server.ok('create_key', { label: 'Approving', scopes }))['key']);
  for (const key of [plain, approving]) {
    const draft_id = await createDraft(key);
    const { expires_at } = await readDraft(draft_id);
    const refused = await server.call('extend_action', { draft_id, expires_in_minutes: 600 }, { key });
    expect(refused.body).toMatchObject({
      code: 'forbidden',
      detail: expect.stringContaining('Ask the person to extend it in the inbox'),
      details: { inbox_url: expect.stringContaining(`/inbox/${draft_id}`) },
    });
    expect((await readDraft(draft_id)).expires_at).toBe(expires_at);
  }
});

test('a draft that was decided, or expired a moment ago, is not extended', async () => {
  const [declined, overdue] = [await createDraft(), await createDraft()];
  await ada.ok('discard_action', { draft_id: declined });
  await database.rows(`update drafts set expires_at = now() - interval '1 second' where id = $1`, [overdue]);
  for (const draft_id of [declined, overdue])
    expect((await ada.call('extend_action', { draft_id, expires_in_minutes: 600 })).body).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('Draft it again'),
    });
});

test('a draft of another person is not found, but their approver may extend it in their name', async () => {
  const draft_id = await createDraft();
  const request = { draft_id, expires_in_minutes: 600 };
  expect((await grace.call('extend_action', request)).body).toMatchObject({ code: 'not_found' });
  await ada.ok('name_approver', { email: 'grace@example.com' });
  expect(computeMinutesLeft((await grace.ok('extend_action', request)) as ShownDraft)).toBeGreaterThan(590);
  expect((await readDraft(draft_id)).ledger.at(-1)).toMatchObject({
    step: 'extended',
    detail: { named_by: expect.any(String) },
  });
});
