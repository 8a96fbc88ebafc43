// The crash matrix against somebody else's emulators, with other people's unsent mails, issues and messages beside: nothing of theirs
// is touched, what was approved is there at most once, and the state of the draft says what is so. The emulator of Microsoft has no mail
// and no calendar, that of Linear takes no id of ours for what is created, and Calendar and Drive of Google take none either.
import { createEmulator, type Emulator } from 'emulate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createActionDraft, waitForOutcome, type ActionToDraft } from '../support/acting.ts';
import { findFreePort } from '../support/free-port.ts';
import { signIn } from '../support/google.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { endLeases } from '../support/time-passes.ts';
import { giveEmulatorConsent } from './consent.ts';
import { startFront, type Front, type StoppedRequest } from './front.ts';

const key = `cm_${'witness8'.repeat(5)}`;
const client = { client_id: 'witness', client_secret: 'GOCSPX-witness', name: 'Thalamus' };
const email = 'testuser@example.com';
const others = ['Half written', 'Not yet', 'Do not send'];
/** With which somebody else writes there. */
const adasToken = 'ada-writes';

type Answer = Record<string, unknown>;
type Witness = {
  provider: 'google' | 'github' | 'linear' | 'slack';
  source: string;
  seed(redirectUri: string): Record<string, unknown>;
  /** Where its page sends the choice of the person, and what it sends. */
  consent: { path: string; choice(page: string): Record<string, string> } | null;
  moved: Record<string, string>;
  /** Puts there what other people have. */
  prepare(front: Front): Promise<unknown>;
  request(marker: string, front: Front): Promise<ActionToDraft>;
  /** How often what was approved is there. */
  visible(marker: string, front: Front): Promise<number>;
  /** All that other people have there. */
  theirs(front: Front): Promise<unknown>;
};

async function ask(front: Front, path: string, body?: object, authorization = front.authorization()): Promise<Answer> {
  const headers = { authorization, 'content-type': 'application/json' };
  const request = { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) };
  const answer = await fetch(`${front.url}${path}`, request);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answer; // all of them answer JSON
}

const mailbox = '/gmail/v1/users/me';
/** By the id of the mail: the emulator answers 5,000 requests in an hour. */
const subjectsRead = new Map<string, string>();

async function readSubjects(front: Front, label: string): Promise<string[]> {
  const { messages = [] } = await ask(front, `${mailbox}/messages?labelIds=${label}&maxResults=500`);
  const each = (messages as { id: string }[]).map(async ({ id }) => {
    const read = subjectsRead.get(id);
    if (read !== undefined) return read;
    const { payload } = await ask(front, `${mailbox}/messages/${id}`);
    const { headers } = payload as { headers: { name: string; value: string }[] };
    const subject = headers.find(({ name }) => name === 'Subject')?.value ?? '';
    subjectsRead.set(id, subject);
    return subject;
  });
  return (await Promise.all(each)).toSorted();
}

const gmail: Witness = {
  provider: 'google',
  source: 'gmail',
  seed: (uri) => ({
    google: { users: [{ email, name: 'Test User' }], oauth_clients: [{ ...client, redirect_uris: [uri] }] },
  }),
  consent: null,
  moved: { '/token': '/oauth2/token', '/revoke': '/oauth2/revoke' },
  async prepare(front) {
    for (const subject of others) {
      const mail = `To: eve@example.com\r\nSubject: ${subject}\r\nMessage-ID: <${subject.length}@example.com>\r\n\r\nNot yet`;
      await ask(front, `${mailbox}/drafts`, { message: { raw: Buffer.from(mail).toString('base64url') } });
    }
  },
  request: async (subject) => ({
    source: 'gmail',
    action_name: 'send_email',
    input: { to: ['noah@example.com'], subject, body: 'Thanks.' },
  }),
  visible: async (marker, front) => (await readSubjects(front, 'SENT')).filter((subject) => subject === marker).length,
  theirs: async (front) => [
    (await readSubjects(front, 'DRAFT')).filter((subject) => others.includes(subject)),
    (await readSubjects(front, 'SENT')).filter((subject) => others.includes(subject)),
  ],
};

const issues = '/repos/octocat/engine/issues';
type Issue = { title: string; state: string; body: string };
async function readAllIssues(front: Front): Promise<Issue[]> {
  const all: Issue[] = [];
  for (let page = 1; ; page += 1) {
    const some = (await ask(front, `${issues}?state=all&per_page=100&page=${page}`)) as unknown as Issue[];
    all.push(...some);
    if (some.length < 100) return all;
  }
}

const github: Witness = {
  provider: 'github',
  source: 'github',
  seed: (uri) => ({
    tokens: { [adasToken]: { login: 'ada', scopes: ['repo'] } },
    github: {
      users: [
        { login: 'octocat', email },
        { login: 'ada', email: 'ada@example.com' },
      ],
      repos: [{ owner: 'octocat', name: 'engine', auto_init: true }],
      oauth_apps: [{ ...client, redirect_uris: [uri] }],
    },
  }),
  consent: { path: '/login/oauth/callback', choice: () => ({ login: 'octocat' }) },
  moved: {},
  prepare: async (front) => {
    for (const title of others) await ask(front, issues, { title, body: 'Mine.' }, `Bearer ${adasToken}`);
  },
  // Somebody else sends the same text at the same time.
  async request(title, front) {
    await ask(front, issues, { title, body: 'Mine.' }, `Bearer ${adasToken}`);
    return {
      source: 'github',
      action_name: 'create_issue',
      input: { owner: 'octocat', repo: 'engine', title, body: 'On the third wheel.' },
    };
  },
  async visible(marker, front) {
    const all = await readAllIssues(front);
    return all.filter(({ title, body }) => title === marker && body.startsWith('On the third wheel.')).length;
  },
  async theirs(front) {
    const all = await readAllIssues(front);
    return all.filter(({ title }) => others.includes(title)).map(({ title, state, body }) => [title, state, body]);
  },
};

type LinearIssue = { id: string; identifier: string; title: string };
const queryGraphql = async (front: Front, query: string) =>
  ((await ask(front, '/graphql', { query })) as { data: Answer }).data;
async function readLinearIssues(front: Front, titles: readonly string[]): Promise<LinearIssue[]> {
  const filter = `filter: { title: { in: ${JSON.stringify(titles)} } }`;
  const { issues: found } = await queryGraphql(
    front,
    `{ issues(first: 100, ${filter}) { nodes { id identifier title } } }`,
  );
  return (found as { nodes: LinearIssue[] }).nodes;
}

const linear: Witness = {
  provider: 'linear',
  source: 'linear',
  seed: (uri) => ({
    linear: {
      users: [{ email, name: 'Test User' }],
      teams: [{ key: 'ENG', name: 'Engineering' }],
      issues: others.map((title) => ({ team: 'ENG', title })),
      oauth_apps: [{ ...client, redirect_uris: [uri], scopes: ['read', 'write'], actor: 'user' }],
    },
  }),
  consent: { path: '/oauth/authorize/callback', choice: () => ({ user_ref: email }) },
  moved: {},
  prepare: async () => {},
  async request(title, front) {
    const { teams } = await queryGraphql(front, '{ teams { nodes { id } } }');
    const [team] = (teams as { nodes: { id: string }[] }).nodes;
    const made = await queryGraphql(
      front,
      `mutation { issueCreate(input: { teamId: "${team?.id}", title: "before ${title}" }) { issue { identifier } } }`,
    );
    const { issue } = made['issueCreate'] as { issue: LinearIssue };
    return { source: 'linear', action_name: 'update_issue', input: { issue: issue.identifier, title } };
  },
  visible: async (marker, front) => (await readLinearIssues(front, [marker])).length,
  theirs: (front) => readLinearIssues(front, others),
};

type SlackMessage = { text: string; user: string; ts: string };
async function readSlackMessages(front: Front): Promise<SlackMessage[]> {
  const { channels } = await ask(front, '/api/conversations.list', {});
  const channel = (channels as { id: string; name: string }[]).find(({ name }) => name === 'workshop')?.id;
  const all: SlackMessage[] = [];
  for (let cursor = ''; ;) {
    const page = await ask(front, '/api/conversations.history', { channel, limit: 200, ...(cursor && { cursor }) });
    all.push(...(page['messages'] as SlackMessage[]));
    cursor = (page['response_metadata'] as { next_cursor?: string } | undefined)?.next_cursor ?? '';
    if (!cursor) return all;
  }
}

/** By a second person, who says it once for each draft. */
async function postSlackMessage(front: Front, text: string): Promise<void> {
  const { channels } = await ask(front, '/api/conversations.list', {}, `Bearer ${adasToken}`);
  const channel = (channels as { id: string; name: string }[]).find(({ name }) => name === 'workshop')?.id;
  await ask(front, '/api/conversations.join', { channel }, `Bearer ${adasToken}`);
  await ask(front, '/api/chat.postMessage', { channel, text }, `Bearer ${adasToken}`);
}

const slack: Witness = {
  provider: 'slack',
  source: 'slack',
  seed: (uri) => ({
    tokens: {
      [adasToken]: { login: 'ada', scopes: ['chat:write', 'channels:read', 'channels:join', 'channels:history'] },
    },
    slack: {
      users: [{ name: 'ada', real_name: 'Ada', email: 'ada@example.com' }],
      channels: [{ name: 'workshop' }],
      oauth_apps: [{ ...client, redirect_uris: [uri] }],
    },
  }),
  consent: {
    path: '/oauth/v2/authorize/callback',
    choice: (page) => ({ user_id: /name="user_id" value="([^"]+)"/.exec(page)?.[1] ?? '' }),
  },
  moved: { '/api/users.conversations': '/api/conversations.list' },
  async prepare(front) {
    for (const text of others) await postSlackMessage(front, text);
  },
  async request(text, front) {
    await postSlackMessage(front, `${text} (said by Ada)`);
    return { source: 'slack', action_name: 'post_message', input: { channel: 'workshop', text } };
  },
  visible: async (marker, front) => (await readSlackMessages(front)).filter(({ text }) => text === marker).length,
  theirs: async (front) => (await readSlackMessages(front)).filter(({ text }) => others.includes(text)),
};

const witnesses = [gmail, github, linear, slack];
const fronts = new Map<Witness, Front>();
const emulators: Emulator[] = [];
const getFront = (witness: Witness): Front => {
  const front = fronts.get(witness);
  if (!front) throw new Error(`${witness.provider} was not started`);
  return front;
};

let server: ServerProcess;
let settings: Record<string, string>;
let connectionString: string;
let dropDatabase: () => Promise<void>;

beforeAll(async () => {
  ({ connectionString, drop: dropDatabase } = await createTestDatabase());
  const publicUrl = 'http://localhost:4747'; // where a browser would be sent back to
  settings = {
    ...buildServerSettings(connectionString),
    THALAMUS_PUBLIC_URL: publicUrl,
    THALAMUS_SEND_TIMEOUT_SECONDS: '5',
    THALAMUS_SETTLE_AFTER_SECONDS: '1',
  };
  for (const witness of witnesses) {
    const [port, frontPort] = [await findFreePort(), await findFreePort()];
    const front = await startFront(frontPort, port, witness.moved);
    fronts.set(witness, front);
    const seed = witness.seed(`${publicUrl}/api/oauth/callback`);
    emulators.push(await createEmulator({ service: witness.provider, port, baseUrl: front.url, seed }));
    const name = witness.provider.toUpperCase();
    settings[`THALAMUS_${name}_BASE_URL`] = front.url;
    settings[`THALAMUS_${name}_CLIENT_ID`] = client.client_id;
    settings[`THALAMUS_${name}_CLIENT_SECRET`] = client.client_secret;
  }
  server = await startServerProcess(settings, key);
  for (const witness of witnesses) await link(witness);
});
afterAll(async () => {
  await server.stop();
  for (const front of fronts.values()) front.close();
  for (const emulator of emulators) await emulator.close();
  await dropDatabase();
});

async function link(witness: Witness): Promise<void> {
  const { provider, source } = witness;
  const front = getFront(witness);
  const browser = await signIn(server);
  const { authorization_url } = await browser.ok('start_oauth', { provider, source });
  const { connection_id } = await browser.ok('finish_oauth', await giveConsent(witness, String(authorization_url)));
  await server.ok('test_connection', { connection_id }); // from now on its token is known here
  await witness.prepare(front);
  await server.ok('test_connection', { connection_id });
}

async function giveConsent(witness: Witness, url: string): Promise<{ code: string; state: string }> {
  if (!witness.consent) return giveEmulatorConsent(url, email);
  const page = await (await fetch(url)).text();
  const body = new URLSearchParams({
    ...Object.fromEntries(new URL(url).searchParams),
    ...witness.consent.choice(page),
  });
  const answer = await fetch(`${getFront(witness).url}${witness.consent.path}`, {
    method: 'POST',
    redirect: 'manual',
    body,
  });
  const target = new URL(answer.headers.get('location') ?? '');
  return { code: target.searchParams.get('code') ?? '', state: target.searchParams.get('state') ?? '' };
}

const kills = [1, 2, 3, 4, 5].flatMap((nth) => [
  { nth, when: 'before', arrives: false, name: `before request ${nth} arrives, which is lost` },
  { nth, when: 'before', arrives: true, name: `before request ${nth} arrives, which then does` },
  { nth, when: 'after', arrives: true, name: `after request ${nth} was done, before its answer` },
]) as { nth: number; when: 'before' | 'after'; arrives: boolean; name: string }[];

type BegunDrafts = {
  witness: Witness;
  drafts: { marker: string; id: string }[];
  theirs: unknown;
  stopped: StoppedRequest;
};

/** Drafts this many and confirms them at once, until a request is stopped or none is left. */
async function begin(
  witness: Witness,
  markers: readonly string[],
  { nth, when }: (typeof kills)[number],
): Promise<BegunDrafts> {
  const front = getFront(witness);
  const drafts: BegunDrafts['drafts'] = [];
  for (const marker of markers)
    drafts.push({ marker, id: await createActionDraft(server, await witness.request(marker, front)) });
  const theirs = await witness.theirs(front);
  for (const each of others) expect(JSON.stringify(theirs), witness.provider).toContain(each);
  const stopped = front.stop(nth, when);
  const confirming = drafts.map(({ id }) => server.call('confirm_action', { draft_id: id }).catch(() => {})); // a kill cuts it off
  await Promise.race([stopped.reached, Promise.all(confirming)]);
  return { witness, drafts, theirs, stopped };
}

/** Kills the server once a request of each is stopped, and has another one go on. */
async function killAndRestart(markers: readonly string[], kill: (typeof kills)[number]): Promise<BegunDrafts[]> {
  const begun: BegunDrafts[] = [];
  for (const witness of witnesses) begun.push(await begin(witness, markers, kill));
  await server.kill();
  for (const { stopped } of begun) stopped.release(kill.arrives);
  await endLeases(connectionString);
  server = await startServerProcess(settings, key);
  return begun;
}

async function checkTruth({ witness, drafts, theirs }: BegunDrafts): Promise<void> {
  const front = getFront(witness);
  for (const { marker, id } of drafts) {
    const { status, ledger_is_whole: isWhole } = await waitForOutcome(server, id);
    const found = { isWhole, status, visible: await witness.visible(marker, front) };
    // Killed before it was stored that it is approved, it still waits.
    const isKnown = { isWhole: true, status: expect.stringMatching(/^(confirmed|failed|pending)$/) };
    expect(found, witness.provider).toEqual({ ...isKnown, visible: status === 'confirmed' ? 1 : 0 });
  }
  expect(await witness.theirs(front), witness.provider).toEqual(theirs);
}

test.each(kills)('a server killed $name sends each draft at most once', { timeout: 180_000 }, async (kill) => {
  for (const begun of await killAndRestart([`crash ${kill.name}`], kill)) await checkTruth(begun);
});

const amongMany = [3, 6, 9, 12, 15, 18].flatMap((nth) => kills.slice(0, 3).map((kill) => ({ ...kill, nth })));

test.each(amongMany)(
  'a server killed while five drafts of each are sent, at request $nth ($when, arrives: $arrives)',
  { timeout: 240_000 },
  async (kill) => {
    const markers = [1, 2, 3, 4, 5].map((number) => `crash ${kill.nth} ${kill.when} ${kill.arrives} number ${number}`);
    for (const begun of await killAndRestart(markers, kill)) await checkTruth(begun);
  },
);
