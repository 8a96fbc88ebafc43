import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGoogleEmulator, type GoogleEmulator } from '../emulators/google/index.ts';
import { linkGoogle } from '../support/google.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';

const key = `cm_${'crashkey'.repeat(5)}`;

/** Where a confirm is stopped for the kill: on the way to the provider or on the way back, at every request it makes. */
const points = [
  { name: 'mail, before its unsent draft is made', act: mail, path: /\/drafts$/, when: 'before' },
  { name: 'mail, after its unsent draft is made', act: mail, path: /\/drafts$/, when: 'after' },
  { name: 'mail, before it is sent', act: mail, path: /\/drafts\/send$/, when: 'before' },
  { name: 'mail, after it is sent', act: mail, path: /\/drafts\/send$/, when: 'after' },
  { name: 'event, before it is created', act: event, path: /\/events$/, when: 'before' },
  { name: 'event, after it is created', act: event, path: /\/events$/, when: 'after' },
  { name: 'file, before its id is handed out', act: file, path: /\/generateIds$/, when: 'before' },
  { name: 'file, after its id is handed out', act: file, path: /\/generateIds$/, when: 'after' },
  { name: 'file, before it is created', act: file, path: /\/upload\/drive/, when: 'before' },
  { name: 'file, after it is created', act: file, path: /\/upload\/drive/, when: 'after' },
] as const;

let google: GoogleEmulator;
let server: ServerProcess;
let settings: Record<string, string>;
let dropDatabase: () => Promise<void>;
let connectionString: string;

beforeAll(async () => {
  google = await startGoogleEmulator();
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  const database = await createTestDatabase();
  dropDatabase = database.drop;
  connectionString = database.connectionString;
  settings = {
    NODE_ENV: 'test',
    DATABASE_URL: database.connectionString,
    THALAMUS_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
    THALAMUS_GOOGLE_BASE_URL: google.url,
    THALAMUS_GOOGLE_CLIENT_ID: google.client.id,
    THALAMUS_GOOGLE_CLIENT_SECRET: google.client.secret,
    THALAMUS_SEND_TIMEOUT_SECONDS: '1',
    THALAMUS_SETTLE_AFTER_SECONDS: '1',
  };
  server = await startServerProcess(settings, key);
  await linkGoogle(server, google);
});

afterAll(async () => {
  await server.stop();
  await google.close();
  await dropDatabase();
});

test(
  'a server killed at any step of a confirm sends at most once, and every draft is settled after the restart',
  { timeout: 90_000 },
  async () => {
    const drafts: { id: string; name: string; subject: string }[] = [];
    const held = [];
    for (const [position, { name, act, path, when }] of points.entries()) {
      const subject = `Crash ${position}`;
      const { draft_id } = await server.ok('act_on_integration', act(subject));
      const hold = google.failures.hold({ method: path.source.includes('generateIds') ? 'GET' : 'POST', path }, when);
      server.call('confirm_action', { draft_id }).catch(() => {}); // the kill cuts it off
      await hold.reached;
      held.push(hold);
      drafts.push({ id: String(draft_id), name, subject });
    }
    await server.kill();
    for (const hold of held) hold.release(); // requests under way arrive although their sender is gone
    server = await startServerProcess(settings, key);

    const ends = new Map<string, string>();
    for (const { id, name } of drafts) ends.set(name, await finalStatus(id));
    // Nothing had left for good where only a preparation was interrupted, so the decision was carried out; what had
    // left arrived, and the provider says so.
    expect(Object.fromEntries(ends)).toEqual(Object.fromEntries(points.map(({ name }) => [name, 'confirmed'])));
    const sent = google.ledger.sent().map((each) => each.subject);
    expect(sent.toSorted()).toEqual(['Crash 0', 'Crash 1', 'Crash 2', 'Crash 3']);
    for (const { id } of drafts)
      expect(await server.ok('get_action', { draft_id: id })).toMatchObject({ ledger_is_whole: true });
    expect(google.ledger.count({ method: 'POST', path: /\/events$/ })).toBe(2);
  },
);

test(
  'a request that died with its server is never repeated: the draft ends as failed',
  { timeout: 60_000 },
  async () => {
    const { draft_id } = await server.ok('act_on_integration', mail('Lost on the way'));
    const hold = google.failures.hold({ method: 'POST', path: /\/drafts\/send$/ }, 'before');
    server.call('confirm_action', { draft_id }).catch(() => {});
    await hold.reached;
    await server.kill();
    server = await startServerProcess(settings, key);
    expect(await finalStatus(String(draft_id))).toBe('failed');
    expect(google.ledger.sent().map((each) => each.subject)).not.toContain('Lost on the way');
    google.failures.clear();
  },
);

/** Where the database is stopped for the kill: each of them between two things that a process does on its own. */
const stoppedAt = [
  { name: 'decided, and not yet taken up', when: 'new.lease_token > old.lease_token' },
  { name: 'prepared, and not yet noted', when: 'new.handle is not null and old.handle is null' },
  { name: 'done at the provider, and not yet written down', when: "new.status = 'confirmed'" },
];

test.each(stoppedAt)(
  'a server killed when a draft is $name settles all of them, each sent once',
  { timeout: 90_000 },
  async ({ name, when }) => {
    const owner = new Client({ connectionString });
    await owner.connect();
    await owner.query(`create or replace function stop_here() returns trigger language plpgsql as $$
    begin if ${when} then perform pg_advisory_xact_lock(4711); end if; return new; end $$`);
    await owner.query(
      'create or replace trigger stop_here before update on drafts for each row execute function stop_here()',
    );
    await owner.query('select pg_advisory_lock(4711)');
    const subjects = ['mail', 'event', 'file'].map((kind) => `${kind} ${name}`);
    const wishes = [mail, event, file].map((act, position) => act(subjects[position] ?? ''));
    const ids: string[] = [];
    for (const wish of wishes) ids.push(String((await server.ok('act_on_integration', wish))['draft_id']));
    for (const draft_id of ids) server.ok('confirm_action', { draft_id }).catch(() => {}); // the kill cuts it off
    await expect.poll(() => waiting(owner), { timeout: 10_000 }).toBe(3);
    await server.kill();
    await owner.query('drop trigger stop_here on drafts');
    await owner.query('select pg_advisory_unlock(4711)');
    await owner.end();
    server = await startServerProcess(settings, key);
    for (const id of ids) expect(await finalStatus(id)).toBe('confirmed');
    expect(google.ledger.sent().filter((each) => each.subject === subjects[0])).toHaveLength(1);
  },
);

async function waiting(owner: Client): Promise<number> {
  const { rows } = await owner.query(`select count(*)::int as count from pg_locks
    where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`);
  return (rows[0] as { count: number }).count; // the statement names its one column
}

async function finalStatus(draftId: string): Promise<string> {
  const giveUpAt = Date.now() + 40_000;
  for (;;) {
    const { status, ledger } = await server.ok('get_action', { draft_id: draftId });
    if (status !== 'confirming' && status !== 'ambiguous') return String(status);
    if (Date.now() > giveUpAt) return `${String(status)} ${JSON.stringify(ledger)}`;
    await sleep(200);
  }
}

function mail(subject: string) {
  return { source: 'gmail', action_name: 'send_email', input: { to: ['noah@example.com'], subject, body: 'Hello' } };
}

function event(summary: string) {
  const input = { summary, start: '2027-06-01T12:00:00Z', end: '2027-06-01T13:00:00Z' };
  return { source: 'calendar', action_name: 'create_event', input };
}

function file(name: string) {
  return { source: 'drive', action_name: 'create_file', input: { name, content: 'text' } };
}
