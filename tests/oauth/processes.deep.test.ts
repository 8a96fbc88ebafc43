// Many server processes on one database: nobody is signed out by a race, and a killed process costs its client a retry.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enter, signInOwner, type SignedIn } from '../support/colleague.ts';
import {
  authorizeUrl,
  Browser,
  connect,
  decide,
  createPkce,
  redeem,
  refresh,
  register,
  type Tokens,
} from '../support/oauth.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { startSmtp, type SmtpServer } from '../support/smtp.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';

const key = `cm_${'processkey'.repeat(4)}`;
const publicUrl = 'http://127.0.0.1:4747';
const params = { resource: `${publicUrl}/mcp` };
const processes = 8;

let settings: Record<string, string>;
let servers: ServerProcess[];
let server: ServerProcess;
let database: OwnerDatabase;
let owner: SignedIn;
let smtp: SmtpServer;
let dropDatabase: () => Promise<void>;

beforeAll(async () => {
  const created = await createTestDatabase();
  smtp = await startSmtp();
  dropDatabase = created.drop;
  settings = {
    ...buildServerSettings(created.connectionString),
    THALAMUS_PUBLIC_URL: publicUrl,
    THALAMUS_DATABASE_POOL: '4',
    THALAMUS_MAIL_URL: smtp.url,
  };
  server = await startServerProcess(settings, key);
  servers = [
    server,
    ...(await Promise.all(Array.from({ length: processes - 1 }, () => startServerProcess(settings, key)))),
  ];
  database = await openAsOwner(created.connectionString);
  owner = await signInOwner(server, database);
}, 240_000);
afterAll(async () => {
  await database.close();
  await Promise.all(servers.map((each) => each.stop()));
  await dropDatabase();
  await smtp.close();
}, 60_000);

const readWhoAmIStatus = async (token: string) => (await server.call('who_am_i', {}, { key: token })).status;

test('64 refreshes of one token by each of 8 processes at once sign nobody out', async () => {
  const { client, refresh_token } = await connect(server, owner, { params });
  const other = await connect(server, owner, { client, params });
  const answers = await Promise.all(
    servers.flatMap((each) => Array.from({ length: 64 }, () => refreshWithRetries(each, client, refresh_token))),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const successors = (await Promise.all(answers.map((answer) => answer.json()))) as Tokens[];
  for (const { access_token } of [...successors.slice(-2), other])
    expect(await readWhoAmIStatus(access_token)).toBe(200);
  const kept = await refresh(server, client, successors[100]?.refresh_token ?? '');
  expect(kept.status).toBe(200);
  expect((await refresh(server, client, other.refresh_token)).status).toBe(200);
}, 240_000);

/** Refreshes as a client does: 503 says that the server is busy, so it asks again. */
async function refreshWithRetries(...asked: Parameters<typeof refresh>): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const answer = await refresh(...asked);
    if (answer.status !== 503 || tries === 10) return answer;
    await sleep(1_000); // as its Retry-After asks
  }
}

/** Calls a process that is killed after the given time, then another one until it answers. */
async function askTwice(afterMs: number, ask: (at: ServerProcess) => Promise<Response>): Promise<Tokens> {
  const victim = await startServerProcess(settings, key);
  const first = ask(victim)
    .then(async (answer) => (answer.ok ? ((await answer.json()) as Tokens) : null))
    .catch(() => null);
  await sleep(afterMs); // the moment of the crash is what is tried
  await victim.kill();
  const got = await first;
  if (got) return got;
  const giveUpAt = Date.now() + 20_000;
  for (;;) {
    const answer = await ask(server);
    if (answer.ok) return (await answer.json()) as Tokens;
    if (Date.now() > giveUpAt) throw new Error(`the retry answered ${answer.status}: ${await answer.text()}`);
    await sleep(500); // as a person or a client would
  }
}

const moments = [0, 5, 10, 15, 20, 30, 50, 80];

test.each(moments)(
  'a process that is killed %i ms into a code exchange costs the client a retry',
  async (afterMs) => {
    const [client, pkce] = [await register(server), createPkce()];
    const back = await decide(new Browser(server, owner), authorizeUrl(server, client, pkce, params));
    const given = { code: back.searchParams.get('code') ?? '', verifier: pkce.verifier };
    const { access_token } = await askTwice(afterMs, (at) => redeem(at, client, given));
    expect(await readWhoAmIStatus(access_token)).toBe(200);
  },
  120_000,
);

test.each(moments)(
  'a process that is killed %i ms into a rotation costs the client a retry',
  async (afterMs) => {
    const { client, refresh_token } = await connect(server, owner, { params });
    const next = await askTwice(afterMs, (at) => refresh(at, client, refresh_token));
    expect(await readWhoAmIStatus(next.access_token)).toBe(200);
    expect((await refresh(server, client, next.refresh_token)).status).toBe(200);
  },
  120_000,
);

/** Runs a call in a process that is killed after the given time. Returns whether the call succeeded. */
async function killDuring(afterMs: number, ask: (at: ServerProcess) => Promise<Response>): Promise<boolean> {
  const victim = await startServerProcess(settings, key);
  const asked = ask(victim).then(
    ({ ok }) => ok,
    () => false,
  );
  await sleep(afterMs); // the moment of the crash is what is tried
  await victim.kill();
  return asked;
}

const post = (at: ServerProcess, path: string, body: object, session: Record<string, string> = {}) =>
  at.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...session, origin: at.url },
    body: JSON.stringify(body),
  });
const signIn = (at: ServerProcess, link: string) => post(at, '/auth/sign-in', { token: new URL(link).hash.slice(1) });

/** The newest link in the mails to an address, beside those that are known. */
async function waitForMailedLink(email: string, known: readonly string[] = []): Promise<string> {
  const found = () =>
    smtp.taken
      .filter(({ to }) => to.includes(email))
      .map(({ text }) => /http\S+#tl_[\w-]+/.exec(text)?.[0] ?? '')
      .find((link) => link && !known.includes(link)) ?? '';
  await expect.poll(found, { timeout: 20_000 }).not.toBe('');
  return found();
}

const membership = [0, 15, 40, 120];

test.each(membership)(
  'a process that is killed %i ms into joining leaves no half-joined person, and they can join afterwards',
  async (afterMs) => {
    const email = `joins-${afterMs}@example.com`;
    await server.ok('invite_person', { email });
    const link = await waitForMailedLink(email);
    await killDuring(afterMs, (at) => signIn(at, link));
    const rows = await database.rows(
      `select p.id, (select count(*)::int from brains where personal_to = p.id) as brains,
        (select count(*)::int from invitations where email = $1) as invitations from people p where email = $1`,
      [email],
    );
    const again = await signIn(server, link);
    if (again.status !== 200) {
      expect(rows).toMatchObject([{ brains: 1, invitations: 0 }]);
      await post(server, '/auth/mail', { email });
      expect((await signIn(server, await waitForMailedLink(email, [link]))).status).toBe(200);
    }
    expect(await database.rows('select role from people where email = $1', [email])).toEqual([{ role: 'member' }]);
  },
  120_000,
);

test.each(membership)(
  'a process that is killed %i ms into leaving removes all of a person, or nothing',
  async (afterMs) => {
    const email = `leaves-${afterMs}@example.com`;
    await server.ok('invite_person', { email });
    const person = await enter(server, database, await waitForMailedLink(email));
    await person.ok('create_key', { label: 'Theirs' });
    await killDuring(afterMs, (at) => post(at, '/v1/tools/leave_workspace', {}, person.headers));
    const state = async () => {
      const [row] = await database.rows(
        `select removed_at is not null as removed,
          (select count(*)::int from sessions where person_id = p.id and revoked_at is null) as sessions,
          (select count(*)::int from keys where person_id = p.id and revoked_at is null) as keys
         from people p where email = $1`,
        [email],
      );
      return row;
    };
    const left = { removed: true, sessions: 0, keys: 0 };
    const stayed = { removed: false, sessions: 1, keys: 1 };
    expect([left, stayed]).toContainEqual(await state());
    const { status } = await person.call('leave_workspace');
    expect([200, 401]).toContain(status);
    expect(await state()).toEqual(left);
  },
  120_000,
);

test('a client that is ended is refused by every process within a second', async () => {
  const { access_token } = await connect(server, owner, { params });
  const statuses = () =>
    Promise.all(servers.map(async (each) => (await each.call('who_am_i', {}, { key: access_token })).status));
  expect(new Set(await statuses())).toEqual(new Set([200])); // each remembers it now
  const { clients } = (await owner.ok('list_connected_clients')) as { clients: { id: string }[] };
  await owner.ok('end_connected_client', { id: clients[0]?.id });
  await sleep(1_000); // the promise: within a second
  expect(new Set(await statuses())).toEqual(new Set([401]));
});
