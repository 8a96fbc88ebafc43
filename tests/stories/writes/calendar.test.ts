import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Account } from '#emulators/google/accounts';
import { act, createActionDraft, allowKeysToDestroy, readRefusal, waitForOutcome } from '../../support/acting.ts';
import { linkGoogle } from '../../support/google.ts';
import { quickTimes } from '../../support/quick-times.ts';
import { shareServerWithGoogle } from '../../support/share.ts';

const ada = 'ada@example.com';

let account: Account;
const { server, google } = shareServerWithGoogle(quickTimes);
beforeAll(async () => {
  account = google.addAccount({ email: ada, name: 'Ada' });
  await linkGoogle(server, google, { sources: ['calendar'] });
});
beforeEach(() => allowKeysToDestroy(server));
afterEach(() => google.failures.clear());

const buildRequest = (action_name: string, input: Record<string, unknown>) => ({
  source: 'calendar',
  action_name,
  input,
});
const times = { start: '2026-06-01T10:00:00Z', end: '2026-06-01T11:00:00Z' };
const guests = [{ email: 'grace@example.net', responseStatus: 'accepted' as const }, { email: ada }];
const seedOwnEvent = (summary: string) => google.seedEvent(ada, { summary, ...times });
const seedInvitation = (summary: string) =>
  google.seedEvent(ada, { summary, ...times, organizer: 'grace@example.net', attendees: guests });
const getEvent = (id: string) => account.calendars.calendars.get(ada)!.events.get(id)!;
const listInvitations = (id: string) => google.ledger.invitations().filter(({ eventId }) => eventId === id);

test('an event is changed, in its named fields only', async () => {
  const { id: event_id } = seedOwnEvent('Review');
  const action = await act(server, buildRequest('update_event', { event_id, summary: 'Last review' }), {
    location: 'Hall',
  });
  expect(action).toMatchObject({
    status: 'confirmed',
    ledger_is_whole: true,
    result: { event_id, html_link: expect.any(String) },
  });
  expect(action.ledger.map(({ step }) => step)).toEqual(['drafted', 'edited', 'decided', 'sending', 'confirmed']);
  expect(getEvent(event_id).content).toMatchObject({
    summary: 'Last review',
    location: 'Hall',
    start: { dateTime: times.start },
  });

  const moved = {
    start: '2026-06-02T12:00:00+02:00',
    end: '2026-06-02T13:00:00+02:00',
    attendees: ['noah@example.net'],
  };
  expect(await act(server, buildRequest('update_event', { event_id, ...moved }))).toMatchObject({
    status: 'confirmed',
  });
  expect(getEvent(event_id).content).toMatchObject({ location: 'Hall', start: { dateTime: '2026-06-02T10:00:00Z' } });
  expect(listInvitations(event_id)).toMatchObject([{ kind: 'update', to: ['noah@example.net'], sendUpdates: 'all' }]);

  const days = { start: '2026-06-03', end: '2026-06-05', send_updates: 'none' };
  expect(await act(server, buildRequest('update_event', { event_id, ...days }))).toMatchObject({ status: 'confirmed' });
  expect(getEvent(event_id).content).toMatchObject({ start: { date: '2026-06-03' }, end: { date: '2026-06-05' } });
  expect(listInvitations(event_id)).toHaveLength(1);
});

test('one end alone never turns a time into a day, nor a day into a time: at drafting and at an edit', async () => {
  const { id: event_id } = seedOwnEvent('Timed');
  const draft_id = await createActionDraft(server, buildRequest('update_event', { event_id, summary: 'Still timed' }));
  const edit = await server.call('edit_action', { draft_id, edits: { end: '2026-12-17' } });
  expect(edit.status).toBe(422);
  expect(edit.body['detail']).toContain('end: must be a time with its offset, or stand beside start');
  const { id: whole } = google.seedEvent(ada, { summary: 'Fair', start: '2026-06-03', end: '2026-06-05' });
  const request = buildRequest('update_event', { event_id: whole, end: '2026-06-05T10:00:00Z' });
  expect(await readRefusal(server, request)).toContain('end: the event takes whole days. Give start too');
});

test('a draft of a change tells the present values of the fields that it does not touch', async () => {
  const { id: event_id } = google.seedEvent(ada, { summary: 'Kept', ...times, attendees: guests });
  const draft_id = await createActionDraft(server, buildRequest('update_event', { event_id, summary: 'Renamed' }));
  const { present } = await server.ok('get_action', { draft_id });
  expect(present).toMatchObject({ ...times, attendees: `grace@example.net, ${ada}` });
  expect(present).not.toHaveProperty('summary');
});

test('an event is deleted, and its guests are notified', async () => {
  const { id: event_id } = google.seedEvent(ada, { summary: 'Off', ...times, attendees: guests });
  expect(await act(server, buildRequest('delete_event', { event_id }))).toMatchObject({
    status: 'confirmed',
    result: { event_id },
  });
  expect(getEvent(event_id).status).toBe('cancelled');
  expect(listInvitations(event_id)).toMatchObject([{ kind: 'cancel' }]);
});

test.each([
  ['accept', 'accepted'],
  ['decline', 'declined'],
  ['tentative', 'tentative'],
])('an invitation is answered, and no other person’s answer changes: %s', async (response, responseStatus) => {
  const { id: event_id } = seedInvitation(`To ${response}`);
  const action = await act(server, buildRequest('respond_to_event', { event_id, response, comment: 'Thanks.' }));
  expect(action).toMatchObject({ status: 'confirmed', result: { event_id } });
  expect(getEvent(event_id).content.attendees).toMatchObject([
    guests[0],
    { email: ada, responseStatus, comment: 'Thanks.' },
  ]);
});

const calls = [
  {
    what: 'changing an event',
    make: (summary: string) => {
      const { id: event_id } = seedOwnEvent('Before');
      return {
        event_id,
        ...buildRequest('update_event', { event_id, summary, start: '2026-06-04', end: '2026-06-05' }),
      };
    },
    isDone: (id: string) => getEvent(id).content['summary'] !== 'Before',
  },
  {
    what: 'deleting an event',
    make: (summary: string) => {
      const { id: event_id } = seedOwnEvent(summary);
      return { event_id, ...buildRequest('delete_event', { event_id }) };
    },
    isDone: (id: string) => getEvent(id).status === 'cancelled',
  },
  {
    what: 'answering an invitation',
    make: (summary: string) => {
      const { id: event_id } = seedInvitation(summary);
      return { event_id, ...buildRequest('respond_to_event', { event_id, response: 'accept' }) };
    },
    isDone: (id: string) => getEvent(id).content.attendees?.[1]?.responseStatus === 'accepted',
  },
];
const failures = [
  { how: 'cut after it was taken', failure: { kind: 'cut', when: 'after' } as const },
  { how: 'answered 500 after it was taken', failure: { kind: 'status', status: 500, when: 'after' } as const },
];
const toEvents = { path: /\/events\//, body: /./ };
const cases = calls.flatMap((each) => failures.map((failing) => ({ ...each, ...failing })));
const getFailureMatch = (what: string) =>
  what.startsWith('deleting') ? { method: 'DELETE', path: /\/events\// } : toEvents;

test.each(cases)('a $what that was $how is found', async ({ what, make, isDone, how, failure }) => {
  const { event_id, ...wanted } = make(`${what}, ${how}`);
  const id = await createActionDraft(server, wanted);
  google.failures.next(getFailureMatch(what), failure);
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'confirmed', result: { event_id } });
  expect(isDone(event_id)).toBe(true);
});

test('a request that was cut before it arrived ends as failed, and nothing is changed', async () => {
  const lost: { id: string; isDone: () => boolean }[] = [];
  for (const { what, make, isDone } of calls) {
    const { event_id, ...wanted } = make(`${what}, lost`);
    const id = await createActionDraft(server, wanted);
    google.failures.next(getFailureMatch(what), { kind: 'cut', when: 'before' });
    await server.ok('confirm_action', { draft_id: id });
    lost.push({ id, isDone: () => isDone(event_id) });
  }
  for (const { id, isDone } of lost) {
    expect(await waitForOutcome(server, id)).toMatchObject({ status: 'failed' });
    expect(isDone()).toBe(false);
  }
});

test('an event that changed meanwhile stays unchanged', async () => {
  const { id: event_id } = seedOwnEvent('Contested');
  const id = await createActionDraft(server, buildRequest('update_event', { event_id, summary: 'Mine' }));
  const pausedRequest = google.failures.pause(toEvents);
  const confirming = server.ok('confirm_action', { draft_id: id });
  await pausedRequest.reached;
  const { content, version } = getEvent(event_id);
  Object.assign(getEvent(event_id), { content: { ...content, summary: 'Theirs' }, version: version + 1 });
  pausedRequest.release();
  await confirming;
  expect(await waitForOutcome(server, id)).toMatchObject({ status: 'failed', error: expect.stringContaining('412') });
  expect(getEvent(event_id).content['summary']).toBe('Theirs');
});

test('an event that is missing, was deleted, or has no invitation is reported, and nothing is sent', async () => {
  const nowhere = await readRefusal(server, buildRequest('update_event', { event_id: 'nowhere', summary: 'Hello?' }));
  expect(nowhere).toContain('There is no event nowhere');
  const { id: event_id } = seedOwnEvent('Twice');
  await act(server, buildRequest('delete_event', { event_id }));
  const refusal = await readRefusal(server, buildRequest('delete_event', { event_id }));
  expect(refusal).toContain('There is no event');
  const own = await readRefusal(
    server,
    buildRequest('respond_to_event', { event_id: seedOwnEvent('Own').id, response: 'accept' }),
  );
  expect(own).toContain('was invited to');
});

test.each([
  ['nothing to change', 'update_event', { event_id: 'x' }, /needs one of/],
  [
    'an end before the start',
    'update_event',
    { event_id: 'x', start: '2026-06-02', end: '2026-06-01' },
    /end: must be/,
  ],
  [
    'a whole day beside a time',
    'create_event',
    { summary: 'X', start: times.start, end: '2026-12-17' },
    /end: must be/,
  ],
  [
    'a whole day beside a time',
    'update_event',
    { event_id: 'x', start: times.start, end: '2026-12-17' },
    /end: must be/,
  ],
  ['a whole day alone', 'update_event', { event_id: 'x', end: '2026-12-17' }, /end: must be .* beside start/],
  ['another answer', 'respond_to_event', { event_id: 'x', response: 'maybe' }, /response/],
])('the input with %s is refused before it is drafted', async (_, action_name, input, says) => {
  const { status, body } = await server.call('act_on_integration', buildRequest(action_name, input));
  expect(status).toBe(422);
  expect(body['detail']).toMatch(says);
});

test('an input that cannot be drafted gets the form of each field', async () => {
  const input = { summary: 'Lunch', start: '2027-06-01T12:00:00', end: 'tomorrow' };
  const moment = 'must be a time with its offset, such as 2026-06-01T12:00:00+02:00, or a day, such as 2026-06-01';
  const request = { source: 'calendar', action_name: 'create_event' };
  expect(await readRefusal(server, { ...request, input })).toContain(`start: ${moment}; end: ${moment}`);
  expect(await readRefusal(server, { ...request, input: { ...input, colour: 'red' } })).toMatch(
    /unknown field 'colour'. Known fields: summary, /,
  );
  expect(await readRefusal(server, { ...request, input: {} })).toContain('summary: required but missing');
});

test('where fields and a free-text request are given, the fields count', async () => {
  const input = { summary: 'By its fields', start: '2027-06-01', end: '2027-06-02' };
  const answer = await server.ok('act_on_integration', {
    source: 'calendar',
    action_name: 'create_event',
    input,
    request: 'Something with Grace',
  });
  expect(answer).toMatchObject({ kind: 'draft', preview: { title: expect.stringContaining('By its fields') } });
});
