// The provider's data about a draft's target is hidden from everybody who may not read that account, in every answer.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { createActionDraft, waitForOutcome } from '../support/acting.ts';
import { linkGoogle, signIn, startServerWithGoogle, type Browser } from '../support/google.ts';
import type { TestServer } from '../support/server.ts';

const ada = 'ada@example.com';
let server: TestServer;
let google: GoogleEmulator;
let browser: Browser;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: ada, name: 'Ada' });
  await linkGoogle(server, google);
  browser = await signIn(server);
});
afterAll(() => close());

const times = { start: '2027-06-03T12:00:00Z', end: '2027-06-03T13:00:00Z' };
const buildLunchRequest = (summary: string) => ({
  source: 'calendar',
  action_name: 'create_event',
  input: { summary, ...times },
});

async function setRules(...rules: object[]): Promise<void> {
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules });
}
async function createAgentKey(more: object = {}): Promise<string> {
  return String((await server.ok('create_key', { label: 'Agent', ...more }))['key']);
}
const withoutReading = { scopes: ['actions:read', 'actions:draft', 'brains:read'] };

test.for(['block', 'require_approval', 'require_human'])(
  'a key whose reading the policy answers with %s learns nothing about the target from another caller’s draft',
  async (effect) => {
    await setRules({ effect, actions: ['read'], callers: ['key'] });
    const key = await createAgentKey();
    const { draft_id } = await browser.ok('act_on_integration', buildLunchRequest(`Lunch ${effect}`));
    const read = { source: 'calendar', request: 'events of this week' };
    expect((await server.call('fetch_from_integration', read, { key })).status).toBe(403);
    const shownDraft = await server.ok('get_action', { draft_id }, { key });
    expect(shownDraft['known']).toEqual([]);
    expect(JSON.stringify(shownDraft['ledger'])).not.toContain('looked_up');
    const { actions } = await server.ok('list_actions', { detail: 'full' }, { key });
    expect(actions).toContainEqual(expect.objectContaining({ draft_id, known: [] }));
    expect((await browser.ok('get_action', { draft_id }))['known']).not.toEqual([]);
  },
);

test('rules that are tried on a draft are judged without the target, for callers who may not read it', async () => {
  await setRules();
  const { id: event_id } = google.seedEvent(ada, {
    summary: 'Planning',
    ...times,
    attendees: [{ email: 'grace@rival.example' }],
  });
  const moved = { source: 'calendar', action_name: 'update_event', input: { event_id, location: 'Room 2' } };
  const [lunches, moves] = [
    await createActionDraft(server, buildLunchRequest('Lunch tried')),
    await createActionDraft(server, moved),
  ];
  const tried = async (draft_id: string, rule: object, key: string) =>
    (await server.ok('explain_policy', { draft_id, rules: [{ effect: 'block', ...rule }] }, { key }))['effect'];
  const [blind, seeing] = [await createAgentKey(withoutReading), await createAgentKey()];
  const guesses = [
    { of: lunches, right: { target: 'event in ada@*' }, wrong: { target: 'event in bob@*' } },
    { of: moves, right: { any_recipient: '*@rival.example' }, wrong: { any_recipient: '*@other.example' } },
  ];
  for (const { of, right, wrong } of guesses) {
    expect(await tried(of, right, blind), JSON.stringify(right)).toBe(await tried(of, wrong, blind));
    expect([await tried(of, right, seeing), await tried(of, wrong, seeing)]).toEqual(['block', 'require_approval']);
  }
});

test('a look-up just before sending is hidden too from a caller that may not read the target', async () => {
  await setRules();
  const { id: event_id } = google.seedEvent(ada, { summary: 'Kept to ourselves', ...times });
  const request = { source: 'calendar', action_name: 'update_event', input: { event_id, summary: 'Renamed' } };
  const draft_id = await createActionDraft(server, request);
  await server.ok('confirm_action', { draft_id });
  expect(await waitForOutcome(server, draft_id)).toMatchObject({ status: 'confirmed' });
  const readLedger = async (key: string) => {
    const { ledger } = await server.ok('get_action', { draft_id }, { key });
    return (ledger as { step: string; detail: object }[]).find(({ step }) => step === 'sending')?.detail;
  };
  expect(await readLedger(await createAgentKey(withoutReading))).toEqual({
    account: ada,
    connection_id: expect.any(String),
  });
  expect(await readLedger(await createAgentKey())).toHaveProperty('handle');
});
