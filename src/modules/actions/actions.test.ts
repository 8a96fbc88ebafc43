import type { Output } from '#sdk';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, startServerWithGoogle } from '../../../tests/support/google.ts';
import { connectMcp } from '../../../tests/support/mcp-client.ts';
import type { TestServer } from '../../../tests/support/server.ts';
import { passTimeAndWait } from '../../../tests/support/time-passes.ts';
import { quickTimes } from '../../../tests/support/quick-times.ts';
import { openAsOwner } from '../../../tests/support/owner-database.ts';

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let installId: string;
let agentKey: string;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle({
    ...quickTimes,
  }));
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  installId = (await linkGoogle(server, google)).connectionId;
  agentKey = String((await server.ok('create_key', { label: 'Agent' }))['key']);
});
afterAll(() => close());
beforeEach(() => {
  google.failures.clear();
  google.ledger.clear();
});

let mailNumber = 0;
async function createMailDraft(fields: Record<string, unknown> = {}, key = agentKey) {
  mailNumber += 1;
  const input = { to: ['noah@example.com'], subject: `Mail ${mailNumber}`, body: 'Which day works?', ...fields };
  const draft = await server.ok(
    'act_on_integration',
    { install_id: installId, action_name: 'send_email', input },
    { key },
  );
  return { id: String(draft['draft_id']), draft };
}

async function waitForOutcome(draftId: string, milliseconds = 15_000): Promise<Output<'get_action'>> {
  const giveUpAt = Date.now() + milliseconds;
  for (;;) {
    const action = await server.ok('get_action', { draft_id: draftId });
    if (!['confirming', 'ambiguous'].includes(String(action['status']))) return action;
    if (Date.now() > giveUpAt)
      throw new Error(`still ${String(action['status'])}: ${JSON.stringify(action['ledger'])}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test('drafting sends nothing, and the draft shows everything that would be sent', async () => {
  const { draft } = await createMailDraft({ cc: ['ana@example.com'], body: 'Line one\nLine two' });
  expect(draft).toMatchObject({
    kind: 'draft',
    action: 'send_email',
    payload: { to: ['noah@example.com'], cc: ['ana@example.com'] },
  });
  const preview = draft['preview'] as { is_complete: boolean; fields: { label: string; text: string }[] };
  expect(preview.is_complete).toBe(true);
  expect(preview.fields).toContainEqual({ label: 'Body', text: 'Line one\nLine two' });
  expect(google.ledger.all()).toEqual([]);
});

test('a confirmed mail is in the Sent folder once, with the edits of the confirmation', async () => {
  const { id, draft } = await createMailDraft();
  const answer = await server.ok('confirm_action', { draft_id: id, edits: { subject: 'Edited' } });
  expect(answer).toMatchObject({ status: 'confirmed', result: { message_id: expect.any(String) } });
  expect(google.ledger.sent()).toHaveLength(1);
  expect(google.ledger.sent()[0]).toMatchObject({ subject: 'Edited' });
  const action = await server.ok('get_action', { draft_id: id });
  expect(action['ledger_is_whole']).toBe(true);
  expect((action['ledger'] as { step: string }[]).map(({ step }) => step)).toEqual([
    'drafted',
    'edited',
    'decided',
    'sending',
    'confirmed',
  ]);
  const { subject } = draft['payload'] as { subject: string };
  expect(action['ledger']).toContainEqual(
    expect.objectContaining({
      step: 'edited',
      detail: expect.objectContaining({ fields: ['subject'], was: { subject } }),
    }),
  );
});

test('an agent that confirms gets the draft and the link, and nothing is sent', async () => {
  const { id } = await createMailDraft();
  const { status, body } = await server.call('confirm_action', { draft_id: id }, { key: agentKey });
  expect(status).toBe(409);
  expect(body).toMatchObject({
    code: 'approval_required',
    details: { approval_url: expect.stringContaining(`/inbox/${id}`), draft: { draft_id: id } },
  });
  expect(google.ledger.sent()).toEqual([]);
});

test('a batch that an agent confirms waits for a person, whichever of its drafts exist', async () => {
  const never = '01920000-0000-7000-8000-00000000dead';
  const { id } = await createMailDraft();
  for (const draft_ids of [
    [id, never],
    [never, id],
  ])
    expect(await server.call('confirm_actions', { draft_ids }, { key: agentKey })).toMatchObject({
      status: 409,
      body: { code: 'approval_required', details: { approval_url: expect.stringMatching(/\/inbox$/) } },
    });
});

test('twenty confirmations at once send one mail and get the same answer', async () => {
  const { id } = await createMailDraft();
  const answers = await Promise.all(Array.from({ length: 20 }, () => server.ok('confirm_action', { draft_id: id })));
  expect(google.ledger.sent()).toHaveLength(1);
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
});

test('an equal draft of the same caller returns the existing draft', async () => {
  const input = { to: ['noah@example.com'], subject: 'Twice', body: 'The same' };
  const request = { install_id: installId, action_name: 'send_email', input };
  const [first, second] = await Promise.all(
    [1, 2].map(() => server.ok('act_on_integration', request, { key: agentKey })),
  );
  expect(second?.['draft_id']).toBe(first?.['draft_id']);
});

test('edits of fields that are not editable are refused, and the draft stays unchanged', async () => {
  const { id } = await createMailDraft();
  const { status, body } = await server.call('confirm_action', { draft_id: id, edits: { thread_id: 'abc' } });
  expect({ status, code: body['code'] }).toEqual({ status: 422, code: 'invalid_input' });
  expect(await server.ok('get_action', { draft_id: id })).toMatchObject({ status: 'pending' });
});

test('a discarded draft cannot be confirmed, and discarding twice equals discarding once', async () => {
  const { id } = await createMailDraft();
  await server.ok('discard_action', { draft_id: id }, { key: agentKey });
  expect(await server.ok('discard_action', { draft_id: id })).toMatchObject({ status: 'discarded' });
  expect((await server.call('confirm_action', { draft_id: id })).status).toBe(409);
  expect(google.ledger.sent()).toEqual([]);
});

test('confirming an expired draft is refused, also before it was marked as expired', async () => {
  const { id } = await createMailDraft();
  const database = await openAsOwner(server.connectionString);
  await database.rows(`update drafts set expires_at = now() - interval '1 second' where id = $1`, [id]);
  await database.close();
  const refused = { status: 409, body: { code: 'conflict', detail: expect.stringMatching(/expired/) } };
  expect(await server.call('confirm_action', { draft_id: id })).toMatchObject(refused);
  expect(google.ledger.sent()).toEqual([]);
});

test('a draft that the provider refuses fails with the reason, and sends nothing', async () => {
  const { id } = await createMailDraft();
  google.failures.next({ method: 'POST', path: /drafts\/send/ }, { kind: 'status', status: 403 });
  expect(await server.ok('confirm_action', { draft_id: id })).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('403'),
  });
  expect(google.ledger.sent()).toEqual([]);
});

test('a mail that was accepted before the connection broke is found and not sent again', async () => {
  const { id } = await createMailDraft();
  google.failures.next({ method: 'POST', path: /drafts\/send/ }, { kind: 'cut', when: 'after' });
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(id)).toMatchObject({ status: 'confirmed' });
  expect(google.ledger.sent()).toHaveLength(1);
});

test('a mail that was cut off before it was accepted fails only after the time in which it could still arrive', async () => {
  const { id } = await createMailDraft();
  google.failures.next({ method: 'POST', path: /drafts\/send/ }, { kind: 'cut', when: 'before' });
  expect(await server.ok('confirm_action', { draft_id: id })).toMatchObject({ status: 'ambiguous' });
  const { status, ledger } = await waitForOutcome(id);
  const rows = ledger as { step: string; at: string }[]; // as get_action returns it
  const readTime = (step: string) => Date.parse(String(rows.find((row) => row.step === step)?.at));
  expect(status).toBe('failed');
  const stillArrivesMs =
    (Number(quickTimes.THALAMUS_SEND_TIMEOUT_SECONDS) + Number(quickTimes.THALAMUS_SETTLE_AFTER_SECONDS)) * 1_000;
  expect(readTime('failed') - readTime('sending')).toBeGreaterThanOrEqual(stillArrivesMs);
  expect(google.ledger.sent()).toEqual([]);
  await expect.poll(() => google.ledger.count({ method: 'DELETE', path: /\/drafts\// })).toBe(1);
});

test('a sender that is alive but too slow gives up in time, and a late arrival is found', async () => {
  const input = { summary: 'Slow', start: '2027-06-02T12:00:00Z', end: '2027-06-02T13:00:00Z' };
  const { draft_id } = await server.ok('act_on_integration', {
    source: 'calendar',
    action_name: 'create_event',
    input,
  });
  const pausedRequest = google.failures.pause({ method: 'POST', path: /\/events$/ }, 'before');
  expect(await server.ok('confirm_action', { draft_id })).toMatchObject({ status: 'ambiguous' });
  pausedRequest.release();
  expect(await waitForOutcome(String(draft_id))).toMatchObject({ status: 'confirmed', ledger_is_whole: true });
  expect(google.ledger.count({ method: 'POST', path: /\/events$/ })).toBe(1);
});

test('a job leaves a draft that is being sent to its sender', async () => {
  const { id } = await createMailDraft();
  const pausedRequest = google.failures.pause({ method: 'POST', path: /drafts\/send/ }, 'before');
  const confirming = server.ok('confirm_action', { draft_id: id });
  await pausedRequest.reached;
  await passTimeAndWait(server.connectionString, 300); // its job is due, and its lease is valid
  const database = await openAsOwner(server.connectionString);
  expect(await database.rows('select lease_token::int from drafts where id = $1', [id])).toEqual([{ lease_token: 1 }]);
  await database.close();
  pausedRequest.release();
  expect(await confirming).toMatchObject({ status: 'confirmed' });
  expect(google.ledger.sent()).toHaveLength(1);
});

test('a draft whose account was unlinked is not sent, and the error names the account', async () => {
  google.addAccount({ email: 'bo@example.com', name: 'Bo' });
  const other = (await linkGoogle(server, google, { email: 'bo@example.com' })).connectionId;
  const input = { summary: 'Unlinked', start: '2027-06-03T12:00:00Z', end: '2027-06-03T13:00:00Z' };
  const request = { install_id: other, action_name: 'create_event', input };
  const { draft_id } = await server.ok('act_on_integration', request);
  await server.ok('revoke_connected_account', { connection_id: other });
  expect(await server.ok('confirm_action', { draft_id })).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('unlinked'),
  });
});

test('the provider’s look-up reconciles an answer of 500 after sending', async () => {
  const { id } = await createMailDraft();
  google.failures.next({ method: 'POST', path: /drafts\/send/ }, { kind: 'status', status: 500, when: 'after' });
  await server.ok('confirm_action', { draft_id: id });
  expect(await waitForOutcome(id)).toMatchObject({ status: 'confirmed' });
  expect(google.ledger.sent()).toHaveLength(1);
});

test('a batch sends its drafts in order and continues after a failure', async () => {
  const drafts = [await createMailDraft(), await createMailDraft(), await createMailDraft()];
  await server.ok('discard_action', { draft_id: drafts[1]?.id });
  const { results } = await server.ok('confirm_actions', { draft_ids: drafts.map(({ id }) => id) });
  expect((results as { status: string }[]).map(({ status }) => status)).toEqual(['confirmed', 'failed', 'confirmed']);
  expect(google.ledger.sent()).toHaveLength(2);
});

test('a batch reports its progress over MCP in words of the product', async () => {
  const draft_ids = [(await createMailDraft()).id, (await createMailDraft()).id];
  const client = await connectMcp(`${server.url}/mcp`, server.key);
  const steps: unknown[] = [];
  const call = { name: 'confirm_actions', arguments: { draft_ids } };
  await client.callTool(call, { onprogress: (step) => void steps.push(step) });
  await client.close();
  expect(steps).toEqual([
    { progress: 0, total: 2, message: 'Approving draft 1 of 2' },
    { progress: 1, total: 2, message: 'Approving draft 2 of 2' },
  ]);
});

test('a missing draft of a batch fails alone, and a batch without drafts is not found', async () => {
  const never = '01920000-0000-7000-8000-00000000dead';
  const [sent, dropped] = [await createMailDraft(), await createMailDraft()];
  const { results } = await server.ok('confirm_actions', { draft_ids: [never, sent.id] });
  expect(results).toMatchObject([
    { draft_id: never, status: 'failed', error: expect.stringContaining('draft') },
    { draft_id: sent.id, status: 'confirmed' },
  ]);
  const discarded = await server.ok('discard_actions', { draft_ids: [dropped.id, never] });
  expect(discarded['results']).toMatchObject([{ status: 'discarded' }, { draft_id: never, status: 'failed' }]);
  expect(google.ledger.sent()).toHaveLength(1);
  for (const operation of ['confirm_actions', 'discard_actions'])
    expect((await server.call(operation, { draft_ids: [never] })).status).toBe(404);
});

test('the ledger records the payload, the account, the person, the face and the text they saw', async () => {
  const { id } = await createMailDraft();
  await server.ok('confirm_action', { draft_id: id });
  const { ledger } = await server.ok('get_action', { draft_id: id });
  const [drafted, decided, sending] = (ledger as { detail: Record<string, unknown> }[]).map(({ detail }) => detail);
  const through = { connection_id: installId, account: 'ada@example.com' };
  expect(drafted).toMatchObject({ ...through, source: 'gmail', action: 'send_email', link: 'owner', by: 'Agent' });
  expect(drafted).toMatchObject({
    face: 'rest',
    caller_kind: 'key',
    preview_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const seen = { preview_hash: drafted?.['preview_hash'], payload_hash: drafted?.['payload_hash'] };
  expect(decided).toMatchObject({ ...seen, face: 'rest', human_surface: false });
  expect(sending).toMatchObject(through);
});

test('an event is created under the id that was chosen for it', async () => {
  const input = {
    summary: 'Lunch',
    start: '2027-06-01T12:00:00+02:00',
    end: '2027-06-01T13:00:00+02:00',
    attendees: ['ana@example.com'],
  };
  const { draft_id } = await server.ok('act_on_integration', {
    source: 'calendar',
    action_name: 'create_event',
    input,
  });
  const answer = await server.ok('confirm_action', { draft_id, edits: { location: 'Corner café' } });
  expect(answer).toMatchObject({ status: 'confirmed', result: { event_id: String(draft_id).replaceAll('-', '') } });
});

test('a file is created once under an id that Drive issued', async () => {
  const input = { name: 'notes.txt', content: 'The first line' };
  const { draft_id } = await server.ok('act_on_integration', { source: 'drive', action_name: 'create_file', input });
  google.failures.next({ method: 'POST', path: /upload/ }, { kind: 'cut', when: 'after' });
  await server.ok('confirm_action', { draft_id });
  expect(await waitForOutcome(String(draft_id))).toMatchObject({
    status: 'confirmed',
    result: { file_id: expect.any(String) },
  });
  expect(google.ledger.count({ method: 'POST', path: /upload/ })).toBe(1);
});

test('a draft waits as long as its caller asks, and an hour by default', async () => {
  const input = { to: ['noah@example.com'], subject: 'Later', body: 'No hurry.' };
  const request = { source: 'gmail', action_name: 'send_email', input };
  const minutes = (draft: Output<'act_on_integration'>) =>
    Math.round((Date.parse(String(draft['expires_at'])) - Date.now()) / 60_000);
  expect(minutes(await server.ok('act_on_integration', request))).toBe(60);
  const later = { ...request, input: { ...input, subject: 'Much later' }, expires_in_minutes: 1_440 };
  expect(minutes(await server.ok('act_on_integration', later))).toBe(1_440);
  expect((await server.call('act_on_integration', { ...request, expires_in_minutes: 1 })).status).toBe(422);
});

test('a prompt that cannot go to Telegram is in the inbox, and its note gives the reason', async () => {
  const input = { to: ['noah@example.com'], subject: 'Where am I', body: 'In the inbox.' };
  const request = { source: 'gmail', action_name: 'send_email', input, notify: ['inbox', 'telegram'] };
  expect(await server.ok('act_on_integration', request)).toMatchObject({
    kind: 'draft',
    note: expect.stringContaining('inbox'),
  });
});

test('a free-text request is drafted when it is unambiguous, and otherwise answered with a question', async () => {
  const act = (source: string, request: string) => server.ok('act_on_integration', { source, request });
  expect(await act('gmail', 'Mail ana@example.com, subject: Hello, body: See you on Friday.')).toMatchObject({
    kind: 'draft',
    payload: { to: ['ana@example.com'], subject: 'Hello', body: 'See you on Friday.' },
  });
  expect(await act('gmail', 'Tell Omer we are in')).toMatchObject({
    kind: 'clarification',
    question: expect.stringContaining('to'),
  });
  expect(await act('gmail', 'List my mails from Ana')).toMatchObject({ kind: 'noop' });
  expect(
    await act('calendar', 'Create "Lunch" on 2027-06-01 from 12:00 to 13:00 +02:00 with ana@example.com'),
  ).toMatchObject({
    kind: 'draft',
    payload: { summary: 'Lunch', attendees: ['ana@example.com'] },
  });
});

test('a run in verify mode cannot draft a mail, and a dry run shows the mail without drafting it', async () => {
  const mail = { to: ['noah@example.com'], subject: 'From a run', body: 'Which day works?' };
  const asked = JSON.stringify({ install_id: installId, action_name: 'send_email', input: mail });
  const { automation_id } = await server.ok('save_automation_draft', {
    name: 'Mailing',
    source: `try { const { kind, preview } = await brains.act_on_integration(${asked}); return [kind, JSON.stringify(preview)] }
      catch (e) { return [e.code, e.message] }`,
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'act_on_integration' }],
  });
  const readResult = async (more: object) => {
    const { run_id } = await server.ok('run_automation_once', { automation_id, ...more });
    return (await server.ok('get_automation_run', { run_id })).result;
  };
  expect(await readResult({ verify_mode: true })).toEqual(['forbidden', expect.stringContaining('verify_mode')]);
  expect(await readResult({})).toEqual(['noop', expect.stringContaining('From a run')]);
  const { actions } = await server.ok('list_actions', { limit: 100 });
  expect(JSON.stringify(actions)).not.toContain('From a run');
  expect(google.ledger.sent()).toEqual([]);
});
