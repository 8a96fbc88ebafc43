// The crash matrix: a server is killed at each point of a confirm, or its upstream misbehaves, for every kind of handle
// (`npm run test:deep`: for every action of the catalogue). Whatever happens, an effect is there at most once, and what the
// provider can answer is settled.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isRequestMatch, type Failure, type FailureMatch, type PausedRequest } from '#emulators/kit/failures';
import { toRequestFacts } from '#emulators/kit/ledger';
import { createActionDraft, allowKeysToDestroy } from '../support/acting.ts';
import { selectByDepth, isDeep } from '../support/depth.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { endLeases } from '../support/time-passes.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { startUpstreams, type Subject, type Upstream } from './matrix/index.ts';

const key = `cm_${'crashkey'.repeat(5)}`;
const { upstreams, subjects } = await startUpstreams(isDeep);

let server: ServerProcess;
let settings: Record<string, string>;
let dropDatabase: () => Promise<void>;
let connectionString: string;

beforeAll(async () => {
  const database = await createTestDatabase();
  ({ drop: dropDatabase, connectionString } = database);
  settings = {
    ...buildServerSettings(connectionString),
    // Until the last of a part is stopped on its way, the first must not run out of time.
    THALAMUS_SEND_TIMEOUT_SECONDS: isDeep ? '5' : '3',
    THALAMUS_SETTLE_AFTER_SECONDS: '1',
    THALAMUS_DATABASE_POOL: String(2 * atOnce), // a draft that is stopped in the database holds a connection
    ...Object.assign({}, ...upstreams.map((upstream) => upstream.settings)),
    THALAMUS_EGRESS_ALLOW: upstreams.flatMap((upstream) => upstream.settings['THALAMUS_EGRESS_ALLOW'] ?? []).join(','),
  };
  server = await startServerProcess(settings, key);
  for (const upstream of upstreams) await upstream.link(server);
  await allowKeysToDestroy(server);
});

afterAll(async () => {
  await server.stop();
  for (const upstream of upstreams) await upstream.close();
  await dropDatabase();
});

afterEach(() => {
  for (const { failures } of upstreams) failures.clear();
});

type BegunDraft = { subject: Subject; marker: string; id: string };
type Ends = Record<string, { status: string; visible: number }>;

function getUpstream(subject: Subject): Upstream {
  const upstream = upstreams.find((each) => each.subjects.includes(subject));
  if (!upstream) throw new Error(`${subject.name} does not belong to a provider`);
  return upstream;
}

let round = 0;
/** A draft of every action, each with a text of its own. */
async function createDrafts(): Promise<BegunDraft[]> {
  round += 1;
  const begun: BegunDraft[] = [];
  for (const [position, subject] of subjects.entries()) {
    const marker = `crash-r${round}-n${position}x`;
    begun.push({ subject, marker, id: await createActionDraft(server, await subject.request(marker)) });
  }
  return begun;
}

/** Few enough at a time that they do not time out because of each other. */
const atOnce = 14;

async function runInParts(begun: readonly BegunDraft[], each: (some: BegunDraft[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < begun.length; from += atOnce) await each(begun.slice(from, from + atOnce));
}

function confirm({ id }: BegunDraft): void {
  server.call('confirm_action', { draft_id: id }).catch(() => {}); // a kill cuts it off
}

/** Waits for the outcome of a draft, or, if it stays unknown, until the provider was asked. */
async function end({ id, subject }: BegunDraft): Promise<string> {
  const giveUpAt = Date.now() + 40_000;
  for (;;) {
    const { status, ledger } = await server.ok('get_action', { draft_id: id });
    const isOpen =
      status === 'confirming' || status === 'pending' || (status === 'ambiguous' && subject.handle !== 'none');
    if (!isOpen) return status;
    if (Date.now() > giveUpAt) throw new Error(`${subject.name} is still ${status}: ${JSON.stringify(ledger)}`);
    await sleep(200);
  }
}

async function readEnds(begun: readonly BegunDraft[]): Promise<Ends> {
  const ends = await Promise.all(
    begun.map(async (each) => {
      const status = await end(each);
      return [each.subject.name, { status, visible: await each.subject.visible(each.marker) }] as const;
    }),
  );
  for (const { id } of begun)
    expect(await server.ok('get_action', { draft_id: id })).toMatchObject({ ledger_is_whole: true });
  return Object.fromEntries(ends);
}

/** The expected outcome of all drafts. A draft without a handle stays ambiguous once a request may have left. */
function buildExpectedEnds(expected: { status: string; visible: number }, isKnown: boolean): Ends {
  return Object.fromEntries(
    subjects.map(({ name, handle }) => [
      name,
      handle === 'none' && !isKnown ? { ...expected, status: 'ambiguous' } : expected,
    ]),
  );
}

const done = { status: 'confirmed', visible: 1 };
const undone = { status: 'failed', visible: 0 };

const onTheWay = [
  { name: 'before its first request arrives', which: 0, when: 'before', arrives: true, isKnown: true },
  { name: 'before the first answer comes', which: 0, when: 'after', arrives: true, isKnown: true },
  {
    name: 'while its sending request is on the way, and arrives',
    which: -1,
    when: 'before',
    arrives: true,
    isKnown: false,
  },
  {
    name: 'while its sending request is on the way, and is lost',
    which: -1,
    when: 'before',
    arrives: false,
    isKnown: false,
  },
  { name: 'after it was done, before the answer comes', which: -1, when: 'after', arrives: true, isKnown: false },
] as const;

// Each point is proven by itself in the deep run; these two lie before and after the effect.
test.each(selectByDepth(onTheWay, [onTheWay[3], onTheWay[4]]))(
  'a server killed $name sends the draft at most once, and reconciles it',
  { timeout: 240_000 },
  async ({ which, when, arrives, isKnown }) => {
    const ends: Ends = {};
    await runInParts(await createDrafts(), async (some) => {
      await killOnTheWay({ which, when, arrives }, some);
      Object.assign(ends, await readEnds(some));
    });
    // Where one request is all there is, the first is the one that does it.
    const isOnly = (subject: Subject) => subject.requests('x').length === 1 && subject.handle === 'none';
    const expected = buildExpectedEnds(arrives ? done : undone, isKnown);
    for (const subject of subjects)
      if (isOnly(subject)) expected[subject.name] = { ...(arrives ? done : undone), status: 'ambiguous' };
    expect(ends).toEqual(expected);
  },
);

async function killOnTheWay(
  { which, when, arrives }: Pick<(typeof onTheWay)[number], 'which' | 'when' | 'arrives'>,
  begun: readonly BegunDraft[],
): Promise<void> {
  const pausedRequests: PausedRequest[] = [];
  for (const each of begun) {
    const match = each.subject.requests(each.marker).at(which);
    if (!match) throw new Error('a confirm makes a request');
    const pausedRequest = getUpstream(each.subject).failures.pause(match, when);
    confirm(each);
    await pausedRequest.reached;
    pausedRequests.push(pausedRequest);
  }
  await server.kill();
  if (arrives) for (const pausedRequest of pausedRequests) pausedRequest.release(); // requests under way arrive although their sender was killed
  await endLeases(connectionString);
  server = await startServerProcess(settings, key);
}

/** Where the database is stopped for the kill: each of them between two things that a process does on its own. */
const stoppedAt = [
  {
    name: 'its approval is stored, and no process works on it',
    when: 'new.lease_token > old.lease_token',
    isKnown: true,
  },
  {
    name: 'it is prepared, but not recorded',
    when: 'new.handle is not null and old.handle is null',
    isKnown: true,
  },
  { name: 'the provider has done it, but it is not recorded here', when: "new.status = 'confirmed'", isKnown: false },
];

test.each(selectByDepth(stoppedAt, stoppedAt.slice(2)))(
  'a server killed when $name sends the draft once, and reconciles it',
  { timeout: 240_000 },
  async ({ when, isKnown }) => {
    const begun = await createDrafts();
    const ends: Ends = {};
    await runInParts(begun, async (some) => {
      await killStoppedAt(when, some);
      Object.assign(ends, await readEnds(some));
    });
    expect(ends).toEqual(buildExpectedEnds(done, isKnown));
    for (const { subject, marker } of begun) expect(subject.unsent?.(marker) ?? 0, subject.name).toBe(0);
  },
);

async function killStoppedAt(when: string, begun: readonly BegunDraft[]): Promise<void> {
  const owner = new Client({ connectionString });
  await owner.connect();
  await owner.query(`create or replace function stop_here() returns trigger language plpgsql as $$
    begin if ${when} then perform pg_advisory_xact_lock_shared(4711); end if; return new; end $$`);
  await owner.query(
    'create or replace trigger stop_here before update on drafts for each row execute function stop_here()',
  );
  await owner.query('select pg_advisory_lock(4711)');
  for (const each of begun) confirm(each);
  await expect.poll(() => countWaiting(owner), { timeout: 10_000 }).toBeGreaterThanOrEqual(begun.length);
  await server.kill();
  // The waits of a killed server end with it, so that trigger and wait do not deadlock.
  await owner.query(`select pg_terminate_backend(pid) ${ofWaiting}`);
  await owner.query('drop trigger stop_here on drafts');
  await owner.query('select pg_advisory_unlock(4711)');
  await owner.end();
  await endLeases(connectionString);
  server = await startServerProcess(settings, key);
}

const ofWaiting = `from pg_locks
  where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;

async function countWaiting(owner: Client): Promise<number> {
  const { rows } = await owner.query(`select count(*)::int as count ${ofWaiting}`);
  return (rows[0] as { count: number }).count; // the statement names its one column
}

test(
  'a server killed before an approval is stored leaves the draft pending and unsent',
  { timeout: 120_000 },
  async () => {
    const owner = new Client({ connectionString });
    await owner.connect();
    const begun = await createDrafts();
    await owner.query('begin');
    await owner.query('select 1 from drafts where id = any($1) for update', [begun.map(({ id }) => id)]);
    for (const each of begun) confirm(each);
    await sleep(500); // each has come to the lock by then
    await server.kill();
    await owner.query('rollback');
    await owner.end();
    server = await startServerProcess(settings, key);
    for (const { id, subject, marker } of begun) {
      expect(await server.ok('get_action', { draft_id: id })).toMatchObject({ status: 'pending' });
      expect(await subject.visible(marker)).toBe(0);
    }
  },
);

/** What an upstream may do wrong with the request that does it. */
const wrongs: { name: string; failure: Failure; ends: { status: string; visible: number }; isKnown?: true }[] = [
  { name: 'breaks off after it was done', failure: { kind: 'cut', when: 'after' }, ends: done },
  { name: 'breaks off before it was done', failure: { kind: 'cut', when: 'before' }, ends: undone },
  { name: 'answers 500 after it was done', failure: { kind: 'status', status: 500, when: 'after' }, ends: done },
  { name: 'answers 503 and does nothing', failure: { kind: 'status', status: 503 }, ends: undone },
  { name: 'does it, and never answers', failure: { kind: 'hang', when: 'after' }, ends: done },
  { name: 'does nothing, and never answers', failure: { kind: 'hang', when: 'before' }, ends: undone },
  { name: 'answers a page of HTML instead', failure: { kind: 'garbage' }, ends: undone },
  { name: 'is slow, and does it', failure: { kind: 'delay', ms: 700 }, ends: done, isKnown: true },
];

// That an answer is lost is proven for every action in tests/stories/writes.
test.each(selectByDepth(wrongs, wrongs.slice(2, 3)))(
  'a provider that $name gets the draft at most once, and its outcome is reconciled',
  { timeout: 120_000 },
  async ({ failure, ends, isKnown = false }) => {
    expect(await confirmWithFailure(failure, await createDrafts())).toEqual(buildExpectedEnds(ends, isKnown));
  },
);

/** Confirms each draft with this failure at the provider, and waits for the outcomes. */
async function confirmWithFailure(failure: Failure, begun: readonly BegunDraft[]): Promise<Ends> {
  const ends: Ends = {};
  await runInParts(begun, async (some) => {
    for (const each of some) {
      getUpstream(each.subject).failures.next(getEffectMatch(each), failure);
      confirm(each);
    }
    Object.assign(ends, await readEnds(some));
  });
  return ends;
}

/** The request that does it. */
function getEffectMatch({ subject, marker }: BegunDraft): FailureMatch {
  const effect = subject.requests(marker).at(-1);
  if (!effect) throw new Error('a confirm makes a request');
  return effect;
}

/**
 * A lie is not found out: the provider's own word is what counts, whatever it keeps of it, so that each of them is told as done, with
 * what the provider answered. What matters is that nothing asks it again and nothing is sent twice.
 */
const lie = { status: 'confirmed', visible: 0 };

test(
  'a provider that reports a false success is believed, and gets the draft no second time',
  { timeout: 120_000 },
  async () => {
    const begun = await createDrafts();
    const from = upstreams.map(({ ledger }) => ledger.ever().length);
    expect(await confirmWithFailure({ kind: 'lie' }, begun)).toEqual(buildExpectedEnds(lie, true));
    for (const { id, subject } of begun) {
      const { ledger, result } = await server.ok('get_action', { draft_id: id });
      expect(
        ledger.map(({ step }) => step),
        subject.name,
      ).toEqual(['drafted', 'decided', 'sending', 'confirmed']);
      expect(ledger.at(-1), subject.name).toMatchObject({ detail: { result } });
    }
    expect(countSent(begun, from)).toBe(begun.length);
    await runReconcileJobs(begun);
    expect(countSent(begun, from), 'after every job that was left of them').toBe(begun.length);
    expect(await readEnds(begun)).toEqual(buildExpectedEnds(lie, true));
  },
);

/** The number of requests for these drafts, since the given counts of each upstream. */
function countSent(begun: readonly BegunDraft[], from: readonly number[]): number {
  const counts = upstreams.map(({ ledger, subjects: own }, nth) => {
    const effects = begun.filter(({ subject }) => own.includes(subject)).map(getEffectMatch);
    const since = ledger.ever().slice(from[nth]);
    return since.filter((entry) => effects.some((match) => isRequestMatch(match, toRequestFacts(entry)))).length;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The jobs that settle what their decider did not: not at their time, which is when its lease has ended, but now. */
async function runReconcileJobs(begun: readonly BegunDraft[]): Promise<void> {
  const owner = new Client({ connectionString });
  await owner.connect();
  const ids = begun.map(({ id }) => id);
  const theirs = "name = 'settle-draft' and data->>'draftId' = any($1)";
  const left = `${theirs} and state in ('created', 'retry', 'active')`;
  const count = async (which: string) => (await owner.query(`select id from jobs.job where ${which}`, [ids])).rowCount;
  try {
    expect(await count(theirs)).toBe(begun.length);
    await owner.query(`update jobs.job set start_after = now() where ${left}`, [ids]);
    await expect.poll(() => count(left)).toBe(0);
  } finally {
    await owner.end();
  }
}
