import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startMicrosoftEmulator } from '#emulators/microsoft/index';
import { act, createActionDraft, allowKeysToDestroy, readRefusal, waitForOutcome } from '../../support/acting.ts';
import { linkAccount } from '../../support/linking.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { quickTimes } from '../../support/quick-times.ts';
import { share } from '../../support/share.ts';

const ada = 'ada@example.com';

let server: TestServer;
const microsoft = share(() => startMicrosoftEmulator());
beforeAll(async () => {
  microsoft.addAccount({ email: ada, name: 'Ada Lovelace' });
  server = await startTestServer({
    THALAMUS_MICROSOFT_BASE_URL: microsoft.url,
    THALAMUS_MICROSOFT_CLIENT_ID: microsoft.client.id,
    THALAMUS_MICROSOFT_CLIENT_SECRET: microsoft.client.secret,
    ...quickTimes,
  });
  await linkAccount(server, { provider: 'microsoft', source: 'outlook_calendar' }, (url) =>
    microsoft.approve(url, { email: ada }),
  );
});
beforeEach(() => allowKeysToDestroy(server));
afterAll(() => server.close());
afterEach(() => microsoft.failures.clear());

const buildRequest = (action_name: string, input: Record<string, unknown>) => ({
  source: 'outlook_calendar',
  action_name,
  input,
});
const create = (summary: string) =>
  buildRequest('create_event', {
    summary,
    start: '2026-06-01T12:00:00+02:00',
    end: '2026-06-01T13:00:00+02:00',
    location: 'Room 4',
    attendees: ['grace@example.net'],
  });
const toUtcTime = (dateTime: string) => ({ dateTime: `${dateTime}.0000000`, timeZone: 'UTC' });
const times = { start: toUtcTime('2026-06-01T10:00:00'), end: toUtcTime('2026-06-01T11:00:00') };
const seedOwnEvent = (subject: string) => microsoft.seedEvent(ada, { subject, ...times });
const seedInvitation = (subject: string) =>
  microsoft.seedEvent(ada, { subject, ...times, invitedBy: 'grace@example.net' });
const listEventsTitled = (subject: string) => microsoft.events(ada).filter((each) => each.subject === subject);
const listInvitations = (eventId: string, kind: string) =>
  microsoft.invitations(ada).filter((each) => each.eventId === eventId && each.kind === kind);

test('an agent cannot confirm a deletion', async () => {
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules: [] });
  const id = await createActionDraft(server, buildRequest('delete_event', { event_id: seedOwnEvent('Kept').id }));
  const { status, body } = await server.call('confirm_action', { draft_id: id });
  expect({ status, code: body['code'] }).toEqual({ status: 409, code: 'approval_required' });
  expect(listEventsTitled('Kept')).toHaveLength(1);
});

test('an event is drafted, edited, confirmed, and created once; its guests are invited', async () => {
  const action = await act(server, create('Gears'), { summary: 'Gears and bearings' });
  expect(action).toMatchObject({
    status: 'confirmed',
    ledger_is_whole: true,
    preview: { title: 'Event Gears and bearings, 2026-06-01T12:00:00+02:00' },
    result: { event_id: expect.any(String), html_link: expect.any(String) },
  });
  expect(action.ledger.map(({ step }) => step)).toEqual(['drafted', 'edited', 'decided', 'sending', 'confirmed']);
  const [event, ...others] = listEventsTitled('Gears and bearings');
  expect(others).toEqual([]);
  expect(event).toMatchObject({ ...times, location: { displayName: 'Room 4' }, isAllDay: false });
  expect(listInvitations(event!.id, 'invite')).toMatchObject([{ to: ['grace@example.net'] }]);
});

test('an event of whole days begins and ends at midnight', async () => {
  const input = { summary: 'Fair', start: '2026-06-01', end: '2026-06-03' };
  expect(await act(server, buildRequest('create_event', input))).toMatchObject({ status: 'confirmed' });
  const days = { start: toUtcTime('2026-06-01T00:00:00'), end: toUtcTime('2026-06-03T00:00:00'), isAllDay: true };
  expect(listEventsTitled('Fair')).toMatchObject([days]);
});

test('an event is changed, in its named fields only, and deleted', async () => {
  const { id: event_id } = seedOwnEvent('Review');
  const changed = await act(
    server,
    buildRequest('update_event', { event_id, summary: 'Last review', location: 'Hall' }),
  );
  expect(changed).toMatchObject({ status: 'confirmed', result: { event_id } });
  expect(listEventsTitled('Last review')).toMatchObject([{ ...times, location: { displayName: 'Hall' } }]);
  const moved = { start: '2026-06-02T10:00:00Z', end: '2026-06-02T11:00:00Z', attendees: ['noah@example.net'] };
  expect(await act(server, buildRequest('update_event', { event_id, ...moved }))).toMatchObject({
    status: 'confirmed',
  });
  expect(listEventsTitled('Last review')).toMatchObject([
    { start: toUtcTime('2026-06-02T10:00:00'), location: { displayName: 'Hall' } },
  ]);
  const deleted = await act(server, buildRequest('delete_event', { event_id }));
  expect(deleted).toMatchObject({ status: 'confirmed', result: { event_id } });
  expect(listEventsTitled('Last review')).toEqual([]);
  expect(listInvitations(event_id, 'cancel')).toHaveLength(1);
});

test.each([
  ['accept', 'accepted'],
  ['decline', 'declined'],
  ['tentative', 'tentativelyAccepted'],
])('an invitation is answered: %s', async (response, response_there) => {
  const { id: event_id } = seedInvitation(`Invitation to ${response}`);
  const action = await act(server, buildRequest('respond_to_event', { event_id, response, comment: 'Thanks.' }));
  expect(action).toMatchObject({ status: 'confirmed', result: { event_id } });
  expect(listEventsTitled(`Invitation to ${response}`)).toMatchObject([{ response: response_there }]);
  expect(listInvitations(event_id, 'response')).toMatchObject([{ to: ['grace@example.net'] }]);
});

const failures = [
  { name: 'cut after it was taken', failure: { kind: 'cut', when: 'after' } as const },
  { name: 'answered 500 after it was taken', failure: { kind: 'status', status: 500, when: 'after' } as const },
];
const calls = [
  { what: 'creating an event', request: (subject: string) => create(subject), method: 'POST' },
  {
    what: 'changing an event',
    request: (subject: string) =>
      buildRequest('update_event', { event_id: seedOwnEvent('Before').id, summary: subject, ...moment }),
    method: 'PATCH',
  },
  {
    what: 'deleting an event',
    request: (subject: string) => buildRequest('delete_event', { event_id: seedOwnEvent(subject).id }),
    method: 'DELETE',
  },
  ...['accept', 'decline'].map((response) => ({
    what: `answering ${response}`,
    request: (subject: string) => buildRequest('respond_to_event', { event_id: seedInvitation(subject).id, response }),
    method: 'POST',
  })),
];
const moment = { start: '2026-06-05T12:00:00+02:00', end: '2026-06-05T13:00:00+02:00' };
const toEvents = (method: string) => ({ method, path: /\/me\/events/ });
const cases = calls.flatMap((each) => failures.map((failing) => ({ ...each, ...failing })));

test.each(cases)(
  'a $what that was $name is found, and happens once',
  async ({ what, name, failure, method, ...each }) => {
    const subject = `${what}, ${name}`;
    const id = await createActionDraft(server, each.request(subject));
    microsoft.failures.next(toEvents(method), failure);
    await server.ok('confirm_action', { draft_id: id });
    expect(await waitForOutcome(server, id)).toMatchObject({
      status: 'confirmed',
      result: { event_id: expect.any(String) },
    });
    expect(listEventsTitled(subject)).toHaveLength(method === 'DELETE' ? 0 : 1);
  },
);

test('a request that was cut before it arrived ends as failed, and nothing is changed', async () => {
  const ids: string[] = [];
  for (const { what, method, ...each } of calls) {
    const id = await createActionDraft(server, each.request(`${what}, lost`));
    microsoft.failures.next(toEvents(method), { kind: 'cut', when: 'before' });
    await server.ok('confirm_action', { draft_id: id });
    ids.push(id);
  }
  for (const id of ids) expect(await waitForOutcome(server, id)).toMatchObject({ status: 'failed' });
  const left = calls.map(({ what }) => listEventsTitled(`${what}, lost`).map(({ response }) => response));
  expect(left).toEqual([[], [], ['organizer'], ['notResponded'], ['notResponded']]);
});

test('an event that another person changed meanwhile has an unknown outcome', async () => {
  const { id: event_id } = seedOwnEvent('Contested');
  const id = await createActionDraft(server, buildRequest('update_event', { event_id, summary: 'Mine' }));
  microsoft.failures.next(toEvents('PATCH'), { kind: 'hang', when: 'before' });
  const confirming = server.ok('confirm_action', { draft_id: id });
  await new Promise((resolve) => setTimeout(resolve, 1_500)); // Graph's times have no fractions
  microsoft.touchEvent(ada, event_id, { subject: 'Theirs' });
  await confirming;
  expect(await server.ok('get_action', { draft_id: id })).toMatchObject({ status: 'ambiguous' });
});

test('an event that is missing, or has no invitation, is reported, and nothing is sent', async () => {
  const change = await readRefusal(server, buildRequest('update_event', { event_id: 'nowhere', summary: 'Hello?' }));
  expect(change).toContain('There is no event nowhere');
  const refusal = await readRefusal(server, buildRequest('delete_event', { event_id: 'nowhere' }));
  expect(refusal).toContain('There is no event nowhere');
  const own = await readRefusal(
    server,
    buildRequest('respond_to_event', { event_id: seedOwnEvent('Own').id, response: 'accept' }),
  );
  expect(own).toContain('was invited to');
});

test('a change of only one end never turns a time into a day, nor a day into a time', async () => {
  const { id: event_id } = seedOwnEvent('Timed');
  const day = await readRefusal(server, buildRequest('update_event', { event_id, end: '2026-12-17' }));
  expect(day).toContain('end: must be a time with its offset, or stand beside start');
  const days = { start: toUtcTime('2026-06-01T00:00:00'), end: toUtcTime('2026-06-03T00:00:00'), isAllDay: true };
  const { id: whole } = microsoft.seedEvent(ada, { subject: 'Fair', ...days });
  const time = await readRefusal(
    server,
    buildRequest('update_event', { event_id: whole, end: '2026-06-02T10:00:00Z' }),
  );
  expect(time).toContain('end: the event takes whole days. Give start too');
});

test.each([
  ['an end before the start', { summary: 'X', start: '2026-06-02', end: '2026-06-01' }, /end: must be after start/],
  ['a day that ends at a moment', { summary: 'X', start: '2026-06-01', end: '2026-06-02T10:00:00Z' }, /end: must be/],
  ['a moment without an offset', { summary: 'X', start: '2026-06-01T10:00:00', end: '2026-06-02' }, /start/],
])('the input with %s is refused before it is drafted', async (_, input, says) => {
  const { status, body } = await server.call('act_on_integration', buildRequest('create_event', input));
  expect(status).toBe(422);
  expect(body['detail']).toMatch(says);
});
