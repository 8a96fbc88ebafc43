// The crash matrix: a server is killed at each point of a confirm, or its upstream misbehaves, for every kind of handle
// (`npm run test:deep`: for every action of the catalogue). Whatever happens, an effect is there at most once, and what the
// provider can answer is settled.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { fits, type Failure, type FailureMatch, type Hold } from '#emulators/kit/failures';
import { arrived } from '#emulators/kit/ledger';
import { draft, letKeysDestroy } from '../support/acting.ts';
import { inDepth, isDeep } from '../support/depth.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { endLeases } from '../support/time-passes.ts';
import { settingsOn, startServerProcess, type ServerProcess } from '../support/server-process.ts';
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
    ...settingsOn(connectionString),
    // Until the last of a part is stopped on its way, the first must not run out of time.
    THALAMUS_SEND_TIMEOUT_SECONDS: isDeep ? '5' : '3',
    THALAMUS_SETTLE_AFTER_SECONDS: '1',
    THALAMUS_DATABASE_POOL: String(2 * atOnce), // a draft that is stopped in the database holds a connection
    ...Object.assign({}, ...upstreams.map((upstream) => upstream.settings)),
    THALAMUS_EGRESS_ALLOW: upstreams.flatMap((upstream) => upstream.settings['THALAMUS_EGRESS_ALLOW'] ?? []).join(','),
  };
  server = await startServerProcess(settings, key);
  for (const upstream of upstreams) await upstream.link(server);
  await letKeysDestroy(server);
});

afterAll(async () => {
  await server.stop();
  for (const upstream of upstreams) await upstream.close();
  await dropDatabase();
});

afterEach(() => {
  for (const { failures } of upstreams) failures.clear();
});

type Begun = { subject: Subject; marker: string; id: string };
type Ends = Record<string, { status: string; visible: number }>;

function upstreamOf(subject: Subject): Upstream {
  const upstream = upstreams.find((each) => each.subjects.includes(subject));
  if (!upstream) throw new Error(`${subject.name} is no provider's`);
  return upstream;
}

let round = 0;
/** A draft of every action, each with a text of its own. */
async function drafted(): Promise<Begun[]> {
  round += 1;
  const begun: Begun[] = [];
  for (const [position, subject] of subjects.entries()) {
    const marker = `crash-r${round}-n${position}x`;
    begun.push({ subject, marker, id: await draft(server, await subject.wish(marker)) });
  }
  return begun;
}

/** Few enough at a time that they do not time out because of each other. */
const atOnce = 14;

async function inParts(begun: readonly Begun[], each: (some: Begun[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < begun.length; from += atOnce) await each(begun.slice(from, from + atOnce));
}

function confirm({ id }: Begun): void {
  server.call('confirm_action', { draft_id: id }).catch(() => {}); // a kill cuts it off
}

/** Waits for the outcome of a draft, or, if it stays unknown, until the provider was asked. */
async function end({ id, subject }: Begun): Promise<string> {
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

async function endsOf(begun: readonly Begun[]): Promise<Ends> {
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
function all(expected: { status: string; visible: number }, isKnown: boolean): Ends {
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
test.each(inDepth(onTheWay, [onTheWay[3], onTheWay[4]]))(
  'a server killed $name sends the draft at most once, and reconciles it',
  { timeout: 240_000 },
  async ({ which, when, arrives, isKnown }) => {
    const ends: Ends = {};
    await inParts(await drafted(), async (some) => {
      await killOnTheWay({ which, when, arrives }, some);
      Object.assign(ends, await endsOf(some));
    });
    // Where one request is all there is, the first is the one that does it.
    const isOnly = (subject: Subject) => subject.requests('x').length === 1 && subject.handle === 'none';
    const expected = all(arrives ? done : undone, isKnown);
    for (const subject of subjects)
      if (isOnly(subject)) expected[subject.name] = { ...(arrives ? done : undone), status: 'ambiguous' };
    expect(ends).toEqual(expected);
  },
);

async function killOnTheWay(
  { which, when, arrives }: Pick<(typeof onTheWay)[number], 'which' | 'when' | 'arrives'>,
  begun: readonly Begun[],
): Promise<void> {
  const holds: Hold[] = [];
  for (const each of begun) {
    const match = each.subject.requests(each.marker).at(which);
    if (!match) throw new Error('a confirm makes a request');
    const hold = upstreamOf(each.subject).failures.hold(match, when);
    confirm(each);
    await hold.reached;
    holds.push(hold);
  }
  await server.kill();
  if (arrives) for (const hold of holds) hold.release(); // requests under way arrive although their sender is gone
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

test.each(inDepth(stoppedAt, stoppedAt.slice(2)))(
  'a server killed when $name sends the draft once, and reconciles it',
  { timeout: 240_000 },
  async ({ when, isKnown }) => {
    const begun = await drafted();
    const ends: Ends = {};
    await inParts(begun, async (some) => {
      await killStoppedAt(when, some);
      Object.assign(ends, await endsOf(some));
    });
    expect(ends).toEqual(all(done, isKnown));
    for (const { subject, marker } of begun) expect(subject.unsent?.(marker) ?? 0, subject.name).toBe(0);
  },
);

async function killStoppedAt(when: string, begun: readonly Begun[]): Promise<void> {
  const owner = new Client({ connectionString });
  await owner.connect();
  await owner.query(`create or replace function stop_here() returns trigger language plpgsql as $$
    begin if ${when} then perform pg_advisory_xact_lock_shared(4711); end if; return new; end $$`);
  await owner.query(
    'create or replace trigger stop_here before update on drafts for each row execute function stop_here()',
  );
  await owner.query('select pg_advisory_lock(4711)');
  for (const each of begun) confirm(each);
  await expect.poll(() => waiting(owner), { timeout: 10_000 }).toBeGreaterThanOrEqual(begun.length);
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

async function waiting(owner: Client): Promise<number> {
  const { rows } = await owner.query(`select count(*)::int as count ${ofWaiting}`);
  return (rows[0] as { count: number }).count; // the statement names its one column
}

test(
  'a server killed before an approval is stored leaves the draft pending and unsent',
  { timeout: 120_000 },
  async () => {
    const owner = new Client({ connectionString });
    await owner.connect();
    const begun = await drafted();
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
test.each(inDepth(wrongs, wrongs.slice(2, 3)))(
  'a provider that $name gets the draft at most once, and its outcome is reconciled',
  { timeout: 120_000 },
  async ({ failure, ends, isKnown = false }) => {
    expect(await endsWith(failure, await drafted())).toEqual(all(ends, isKnown));
  },
);

/** Confirms each with this failure of what does it, and waits for what becomes of them. */
async function endsWith(failure: Failure, begun: readonly Begun[]): Promise<Ends> {
  const ends: Ends = {};
  await inParts(begun, async (some) => {
    for (const each of some) {
      upstreamOf(each.subject).failures.next(effectOf(each), failure);
      confirm(each);
    }
    Object.assign(ends, await endsOf(some));
  });
  return ends;
}

/** The request that does it. */
function effectOf({ subject, marker }: Begun): FailureMatch {
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
    const begun = await drafted();
    const from = upstreams.map(({ ledger }) => ledger.ever().length);
    expect(await endsWith({ kind: 'lie' }, begun)).toEqual(all(lie, true));
    for (const { id, subject } of begun) {
      const { ledger, result } = await server.ok('get_action', { draft_id: id });
      expect(
        ledger.map(({ step }) => step),
        subject.name,
      ).toEqual(['drafted', 'decided', 'sending', 'confirmed']);
      expect(ledger.at(-1), subject.name).toMatchObject({ detail: { result } });
    }
    expect(sentFor(begun, from)).toBe(begun.length);
    await runJobsOf(begun);
    expect(sentFor(begun, from), 'after every job that was left of them').toBe(begun.length);
    expect(await endsOf(begun)).toEqual(all(lie, true));
  },
);

/** The number of requests for these drafts, since the given counts of each upstream. */
function sentFor(begun: readonly Begun[], from: readonly number[]): number {
  const counts = upstreams.map(({ ledger, subjects: own }, nth) => {
    const effects = begun.filter(({ subject }) => own.includes(subject)).map(effectOf);
    const since = ledger.ever().slice(from[nth]);
    return since.filter((entry) => effects.some((match) => fits(match, arrived(entry)))).length;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The jobs that settle what their decider did not: not at their time, which is when its lease has ended, but now. */
async function runJobsOf(begun: readonly Begun[]): Promise<void> {
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
