// Two equal drafts at a provider without handles: each is confirmed with one item, and never both with the same.
import type { Output } from '#sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startUpstreams } from '../crash/matrix/index.ts';
import type { Failure } from '#emulators/kit/failures';
import { createActionDraft, waitForOutcome, type ActionToDraft } from '../support/acting.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { quickTimes } from '../support/quick-times.ts';
import { passTimeAndWait } from '../support/time-passes.ts';

const { upstreams, subjects: all } = await startUpstreams(true);
const subjects = all.filter(({ handle }) => handle === 'fingerprint');
const findUpstream = (name: string) => upstreams.find((each) => each.subjects.some((subject) => subject.name === name));

let server: TestServer;
let agent: string;
beforeAll(async () => {
  server = await startTestServer({
    ...Object.assign({}, ...upstreams.map(({ settings }) => settings)),
    THALAMUS_EGRESS_ALLOW: upstreams.flatMap(({ settings }) => settings['THALAMUS_EGRESS_ALLOW'] ?? []).join(','),
    ...quickTimes,
  });
  for (const upstream of upstreams)
    if (upstream.subjects.some((each) => subjects.includes(each))) await upstream.link(server);
  agent = String((await server.ok('create_key', { label: 'Agent' }))['key']);
});
afterAll(async () => {
  await server.close();
  for (const upstream of upstreams) await upstream.close();
});

/** Equal drafts of two callers. */
async function createDraftPair(request: ActionToDraft, other = request): Promise<[string, string]> {
  const second = await server.ok('act_on_integration', other, { key: agent });
  return [await createActionDraft(server, request), String(second['draft_id'])];
}
const cutAfter: Failure = { kind: 'cut', when: 'after' };
const cutBefore: Failure = { kind: 'cut', when: 'before' };
const listResultIds = (actions: readonly Output<'get_action'>[]) =>
  actions.flatMap(({ result }) => {
    const ids = (result ?? {}) as Record<string, string>;
    const { item_id, page_id, comment_id, message_id, update_id, last_block_id } = ids;
    return update_id ?? last_block_id ?? comment_id ?? item_id ?? message_id ?? page_id ?? [];
  });

const ways = [
  { name: 'the first answer is lost', failures: [cutAfter], statuses: ['confirmed', 'confirmed'] },
  { name: 'both answers are lost', failures: [cutAfter, cutAfter], statuses: ['confirmed', 'confirmed'] },
  { name: 'one was never taken', failures: [cutAfter, cutBefore], statuses: ['confirmed', 'failed'] },
];
const cases = subjects.flatMap((subject, n) =>
  ways.map((way, m) => ({ ...way, subject, marker: `alike-n${n}m${m}x` })),
);

// The tests only wait for time, and each looks only at items with its own marker.
test.concurrent.for(cases.map((each) => [each.subject.name, each.name, each] as const))(
  'equal drafts of %s that are confirmed at once keep their own outcomes: %s',
  { timeout: 60_000 },
  async ([name, , { subject, marker, failures, statuses }]) => {
    const ids = await createDraftPair(await subject.request(marker));
    expect(ids[0]).not.toBe(ids[1]);
    const effect = subject.requests(marker).at(-1);
    for (const failure of failures) if (effect) findUpstream(name)?.failures.next(effect, failure);
    await Promise.all(ids.map((draft_id) => server.ok('confirm_action', { draft_id })));
    const actions = await Promise.all(ids.map((id) => waitForOutcome(server, id, { milliseconds: 40_000 })));
    expect(actions.map(({ status }) => status).toSorted()).toEqual(statuses);
    const isThere = statuses.filter((status) => status === 'confirmed').length;
    expect(await subject.visible(marker)).toBe(isThere);
    expect(new Set(listResultIds(actions)).size).toBe(isThere);
  },
);

test('of two items that look equal but are not, the origin stays unknown', { timeout: 30_000 }, async () => {
  const subject = subjects.find(({ name }) => name === 'monday create_item');
  const monday = findUpstream('monday create_item');
  if (!subject || !monday) throw new Error('there is such an action');
  const request = await subject.request('alike-other');
  const ids = await createDraftPair(request, { ...request, input: { ...request.input, values: { owner: 'Ada' } } });
  const effect = subject.requests('alike-other')[0];
  monday.failures.next(effect, { kind: 'hang', when: 'before' });
  monday.failures.next(effect, { kind: 'hang', when: 'after' }); // by then both know what was there before
  const confirmed = ids.map((draft_id) => server.call('confirm_action', { draft_id }));
  await expect.poll(() => subject.visible('alike-other')).toBe(1);
  monday.failures.next({ path: '/v2' }, { kind: 'status', status: 503 }, 1_000);
  await Promise.all(confirmed);
  monday.failures.clear();
  await passTimeAndWait(server.connectionString, 60);
  for (const draft_id of ids) {
    const { status, ledger } = await server.ok('get_action', { draft_id });
    expect(status).toBe('ambiguous');
    expect(JSON.stringify(ledger)).toContain('a competing draft is ambiguous, too');
  }
});
