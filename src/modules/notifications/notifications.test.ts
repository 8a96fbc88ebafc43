import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { formatUtcTime } from '#modules/actions';
import { buildSessionHeaders, linkGoogle, readSession, startServerWithGoogle } from '../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addWorkspace } from '../../../tests/support/second-workspace.ts';
import { reachServer, startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { startSmtp, type SmtpServer, type TakenMail } from '../../../tests/support/smtp.ts';
import { createWorld } from '../../../tests/support/world.ts';
import { passTimeAndWait, passTime } from '../../../tests/support/time-passes.ts';
import { quickTimes } from '../../../tests/support/quick-times.ts';

const soon = { timeout: 12_000, interval: 50 };
const gatherSeconds = 20;

let smtp: SmtpServer;
let server: TestServer;
let google: GoogleEmulator;
let database: OwnerDatabase;
let close: () => Promise<void>;
let installId: string;

beforeAll(async () => {
  smtp = await startSmtp();
  ({ server, google, close } = await startServerWithGoogle({
    THALAMUS_MAIL_URL: smtp.url,
    THALAMUS_MAIL_GATHER_SECONDS: String(gatherSeconds),
    THALAMUS_OWNER_EMAIL: 'ada@example.com',
    ...quickTimes,
    THALAMUS_LOG_LEVEL: 'silent',
  }));
  database = await openAsOwner(server.connectionString);
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  installId = (await linkGoogle(server, google)).connectionId;
});
afterAll(async () => {
  await database.close();
  await close();
  await smtp.close();
});
beforeEach(async () => {
  smtp.behave('take');
  google.failures.clear();
  const { actions } = await server.ok('list_actions', { status: 'pending', limit: 200 });
  for (const { draft_id } of actions as { draft_id: string }[]) await server.ok('discard_action', { draft_id });
  smtp.taken.length = 0;
  await server.ok('set_notifications', { mail: 'each' });
});

async function createDraft(subject: string, more: object = {}): Promise<string> {
  const input = { to: ['noah@example.com'], subject, body: 'The body says a secret word: xylophone.' };
  const request = { install_id: installId, action_name: 'send_email', input, ...more };
  return String((await server.ok('act_on_integration', request))['draft_id']);
}

function post(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: server.url };
  return server.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

function getFirstMail(): TakenMail {
  const [mail] = smtp.taken;
  if (!mail) throw new Error('no mail came');
  return mail;
}

const findLink = (text = '') => /Open (?:it|them) to decide:\n(http\S+)/.exec(text)?.[1];
/** Signs a person in by a mailed link; returns the headers of the session. */
async function enter(email: string): Promise<Record<string, string>> {
  await database.rows('delete from sign_in_links');
  const before = smtp.taken.length;
  await post('/auth/mail', { email });
  await vi.waitFor(() => expect(smtp.taken.length).toBeGreaterThan(before), soon);
  const token = /#(tl_[\w-]+)/.exec(smtp.taken.at(-1)?.text ?? '')?.[1];
  smtp.taken.length = before;
  return buildSessionHeaders(await readSession(await post('/auth/sign-in', { token })));
}
const listTargets = async (draft_id: string) => (await server.ok('get_action', { draft_id }))['notify_targets'];
/** Longer than the delay of mails. */
const waitForMailDelay = () => passTimeAndWait(server.connectionString, gatherSeconds + 1);

/** Moves past the delay of mails, and returns the number of mails. */
async function expectMails(count: number): Promise<void> {
  await waitForMailDelay();
  expect(smtp.taken).toHaveLength(count);
}

test('a person who did not choose mails gets none', async () => {
  await server.ok('set_notifications', { mail: 'off' });
  expect(await server.ok('get_notifications')).toEqual({ mail: 'off', address: 'ada@example.com', can_mail: true });
  const id = await createDraft('Nobody is told');
  await waitForMailDelay();
  expect(smtp.taken).toEqual([]);
  expect(await listTargets(id)).toEqual(['inbox']);
});

test('a waiting draft is mailed once, with a link that leads to it and signs nobody in', async () => {
  const id = await createDraft('Lunch on Friday');
  const { expires_at } = await server.ok('get_action', { draft_id: id });
  await expectMails(1);
  const { to, subject, text, source } = getFirstMail();
  expect(to).toEqual(['ada@example.com']);
  expect(subject).toBe('A draft waits for your approval');
  expect(source).toMatch(/^content-type: text\/plain/im);
  for (const said of [
    '> Mail to noah@example.com: Lunch on Friday',
    '> Through ada@example.com. Drafted by Owner key.',
  ])
    expect(text).toContain(said);
  expect(text).toContain(`It waits until ${formatUtcTime(new Date(String(expires_at)))}.`);
  expect(text).not.toContain('xylophone');
  expect(await listTargets(id)).toEqual(['inbox', 'mail']);

  expect(findLink(text)).toMatch(new RegExp(`^${server.url.replace('127.0.0.1', 'localhost')}/inbox/${id}$`));
  expect(source, 'a reader of the mailbox cannot sign in with it').not.toMatch(/tl_|sign-in/);
  const session = await enter('ada@example.com');
  const me = await server.request('/v1/me', { headers: session });
  expect(await me.json()).toMatchObject({ person: { email: 'ada@example.com' }, caller: { is_human_surface: true } });

  await waitForMailDelay();
  expect(smtp.taken).toHaveLength(1);
});

test('fifty drafts of a batch are one mail', async () => {
  const batch_id = crypto.randomUUID();
  const ids = await Promise.all(Array.from({ length: 50 }, (_, nth) => createDraft(`Of fifty ${nth}`, { batch_id })));
  await expectMails(1);
  const [mail] = smtp.taken;
  expect(mail?.subject).toBe('50 drafts wait for your approval');
  expect(mail?.text.match(/> Mail to/g)).toHaveLength(20);
  expect(mail?.text).toContain('And 30 more.');
  expect(findLink(mail?.text)).toMatch(/\/inbox$/);
  await waitForMailDelay();
  expect(smtp.taken).toHaveLength(1);
  expect(await listTargets(ids[49] ?? '')).toEqual(['inbox', 'mail']);
});

test('a draft that is decided before the mail leaves is not mailed', async () => {
  const [first, second] = [await createDraft('Declined at once'), await createDraft('Approved at once')];
  await server.ok('discard_action', { draft_id: first });
  await server.ok('confirm_action', { draft_id: second });
  await waitForMailDelay();
  expect(smtp.taken).toEqual([]);
  expect(await database.rows('select 1 from draft_mails where draft_id = any($1)', [[first, second]])).toEqual([]);
});

test('a draft that the policy allows is not mailed, and an equal draft is mailed once', async () => {
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules: [{ effect: 'allow', any_recipient: '*@free.example' }] });
  await createDraft('Goes by itself', { input: { to: ['a@free.example'], subject: 'Free', body: 'x' } });
  const id = await createDraft('Twice the same');
  await expectMails(1);
  expect(await createDraft('Twice the same')).toBe(id);
  await waitForMailDelay();
  expect(smtp.taken.map(({ text }) => /> Mail to (.*)/.exec(text)?.[1])).toEqual(['noah@example.com: Twice the same']);
});

test("text of an agent or of others cannot look like the server's text", async () => {
  const { key } = await server.ok('create_key', {
    label: 'Claude\r\nSubject: Approved\r\n\r\nSign in at http://evil.example',
  });
  const forged =
    'Hi\r\nBcc: eve@example.com\r\nContent-Type: text/html\r\n\r\n<a href="https://evil.example">Approve</a>';
  const mail = { to: ['noah@example.com'], subject: forged, body: 'x' };
  const request = { install_id: installId, action_name: 'send_email', input: mail };
  await server.ok('act_on_integration', { ...request, input: { ...mail, subject: 'Hi' } }, { key: String(key) });
  // Drafting refuses such a subject; this test shows that the mail would quote it safely anyway.
  expect((await server.call('act_on_integration', request, { key: String(key) })).status).toBe(422);
  await database.rows(
    `update drafts set preview = jsonb_set(preview, '{title}', to_jsonb($1::text)) where status = 'pending'`,
    [forged],
  );
  await expectMails(1);
  const { to, source, text, subject } = getFirstMail();
  const [headers = ''] = source.split('\r\n\r\n');
  expect(to).toEqual(['ada@example.com']);
  expect(subject).toBe('A draft waits for your approval');
  expect(headers).not.toMatch(/eve@|text\/html|^bcc/im);
  const theirs = text.split('\n').filter((line) => /evil|eve@|Approved/.test(line));
  expect(theirs.length).toBeGreaterThan(0);
  for (const line of theirs) expect(line).toMatch(/^> /);
  expect(text).not.toMatch(/https?:\/\/evil/);
});

test('while the mail server is down the mail is retried, and arrives once', async () => {
  smtp.behave('refuse');
  const before = smtp.begun();
  const id = await createDraft('Not now');
  await waitForMailDelay();
  await waitForMailDelay();
  expect(smtp.begun()).toBeGreaterThanOrEqual(before + 2);
  expect(await listTargets(id)).toEqual(['inbox']);
  smtp.behave('take');
  await expectMails(1);
  await waitForMailDelay();
  expect(smtp.taken).toHaveLength(1);
});

test('a draft that was decided while the mail server was down is not mailed', async () => {
  smtp.behave('refuse');
  const before = smtp.begun();
  const id = await createDraft('Over by then');
  await waitForMailDelay();
  expect(smtp.begun()).toBeGreaterThan(before);
  await server.ok('discard_action', { draft_id: id });
  smtp.behave('take');
  await waitForMailDelay();
  expect(await database.rows('select 1 from draft_mails where draft_id = $1', [id])).toEqual([]);
  expect(smtp.taken).toEqual([]);
});

const listMails = (id: string) => database.rows('select attempts from draft_mails where draft_id = $1', [id]);

test('a mail that is refused permanently is not tried again', async () => {
  smtp.behave('refuse_for_good');
  const before = smtp.begun();
  const id = await createDraft('Refused for good');
  await waitForMailDelay();
  expect(await listMails(id)).toEqual([]);
  smtp.behave('take');
  await waitForMailDelay();
  expect(smtp.begun()).toBe(before + 1);
  expect(smtp.taken).toEqual([]);
});

test('a mail that every server refused for a day is dropped', async () => {
  smtp.behave('refuse');
  const id = await createDraft('Tried for a day');
  await waitForMailDelay();
  expect(await listMails(id)).toMatchObject([{ attempts: 1 }]);
  await database.rows(`update draft_mails set created_at = created_at - interval '1 day' where draft_id = $1`, [id]);
  await waitForMailDelay();
  expect(await listMails(id)).toEqual([]);
});

test('notices are deleted a week after a draft has its outcome', async () => {
  const [old, fresh, open] = [
    await createDraft('Settled long ago'),
    await createDraft('Settled now'),
    await createDraft('Open'),
  ];
  await waitForMailDelay();
  expect(await listTargets(open)).toContain('mail');
  await server.ok('discard_actions', { draft_ids: [old, fresh] });
  await database.rows(`update drafts set settled_at = settled_at - interval '8 days' where id = $1`, [old]);
  await database.rows(`insert into jobs.job (name) values ('tidy')`);
  await waitForMailDelay();
  expect(await listMails(old)).toEqual([]);
  for (const id of [fresh, open]) expect(await listMails(id)).toHaveLength(1);
});

test('a mail that may have been sent is not sent again', async () => {
  smtp.behave('take_and_cut');
  const id = await createDraft('Nobody answered');
  await expectMails(1);
  smtp.behave('take');
  await waitForMailDelay();
  expect(smtp.taken).toHaveLength(1);
  expect(await listTargets(id)).toEqual(['inbox']);
});

test('a job that runs twice, concurrently and later, sends one mail', async () => {
  const id = await createDraft('One mail');
  await database.rows(`insert into jobs.job (name, data, start_after, retry_limit)
    select name, data, start_after, 0 from jobs.job, generate_series(1, 8) where name = 'mail-drafts' and state = 'created'`);
  await waitForMailDelay();
  expect(await listTargets(id)).toContain('mail');
  await database.rows(
    `insert into jobs.job (name, data) select name, data from jobs.job where name = 'mail-drafts' limit 1`,
  );
  await waitForMailDelay();
  expect(smtp.taken).toHaveLength(1);
});

test('a digest gathers for a quarter of an hour', async () => {
  await server.ok('set_notifications', { mail: 'digest' });
  await createDraft('First of a digest');
  await createDraft('Second of a digest');
  await waitForMailDelay();
  expect(smtp.taken).toEqual([]);
  await database.rows(`update draft_mails set created_at = created_at - interval '15 minutes', due_at = due_at - interval '15 minutes'
    where claimed_at is null`);
  await database.rows(`update jobs.job set start_after = now() where name = 'mail-drafts' and state = 'created'`);
  await expectMails(1);
  expect(smtp.taken[0]?.subject).toBe('2 drafts wait for your approval');
});

test('an ambiguous draft is mailed when the provider does not know the outcome, and not when it does', async () => {
  const known = await createDraft('The provider knows');
  await expectMails(1);
  google.failures.next({ method: 'POST', path: /drafts\/send/ }, { kind: 'cut', when: 'after' });
  expect(await server.ok('confirm_action', { draft_id: known })).toMatchObject({ status: 'confirmed' });
  const lost = await createDraft('Nobody knows of this');
  await expectMails(2);
  google.failures.next({ method: 'POST', path: /drafts\/send/ }, { kind: 'cut', when: 'after' });
  google.failures.next({ method: 'GET', path: /^\/gmail/ }, { kind: 'status', status: 400 }, 1_000);
  expect(await server.ok('confirm_action', { draft_id: lost })).toMatchObject({ status: 'ambiguous' });
  await expect.poll(() => listMails(lost)).toHaveLength(2); // meanwhile the provider is asked repeatedly
  await passTime(server.connectionString, gatherSeconds + 10);
  await expect.poll(() => smtp.taken.length, { timeout: 15_000 }).toBe(3);
  expect(smtp.taken[2]?.subject).toBe('A draft may have been sent');
  expect(smtp.taken[2]?.text).toContain('Nobody knows of this');
  expect(findLink(smtp.taken[2]?.text)).toMatch(new RegExp(`/inbox/${lost}$`));
}, 40_000);

test('nobody gets mails about drafts of others, in the workspace or in another', async () => {
  const { key } = await addWorkspace(server);
  const others = reachServer(server.url, key);
  await others.ok('set_notifications', { mail: 'each' });
  const theirs = await createWorld(others, google, 'mallory@example.com').make('draft');
  await createDraft('Only for Ada');
  await expectMails(2);
  const mailTo = (address: string) => smtp.taken.filter(({ to }) => to.includes(address)).map(({ text }) => text);
  expect(mailTo('ada@example.com').join()).not.toContain(theirs);
  expect(mailTo('mallory@others.example')).toHaveLength(1);
  expect(mailTo('mallory@others.example').join()).not.toContain('Only for Ada');
});

test('a delegate gets mails too, as long as the delegation lasts', async () => {
  await server.ok('set_notifications', { mail: 'off' });
  const { brain_id } = await server.ok('create_brain', { name: 'Shared' });
  await server.ok('invite_member', { brain_id, email: 'grace@example.com', access_level: 'viewer' });
  const session = await enter('grace@example.com');
  const headers = { 'content-type': 'application/json', origin: server.url, ...session };
  const choice = { method: 'PUT', headers, body: JSON.stringify({ mail: 'each' }) };
  expect((await server.request('/v1/me/notifications', choice)).status).toBe(200);

  const { approver_id } = await server.ok('name_approver', { email: 'grace@example.com' });
  smtp.taken.length = 0;
  const id = await createDraft('For Grace to decide');
  await expectMails(1);
  expect(getFirstMail()).toMatchObject({
    to: ['grace@example.com'],
    text: expect.stringContaining('for Owner, who delegated the decision to you.'),
  });
  expect(await listTargets(id)).toEqual(['inbox', 'mail']);
  const seen = await server.request(`/v1/actions/${id}`, { headers: session });
  expect(await seen.json()).toMatchObject({ draft_id: id, delegated_by: 'Owner' });

  await createDraft('Withdrawn before the mail');
  await server.ok('withdraw_approver', { approver_id });
  await createDraft('After that');
  await waitForMailDelay();
  expect(smtp.taken).toHaveLength(1);
});

test('a notification does not delay a sign-in link by mail', async () => {
  await database.rows('delete from sign_in_links');
  await createDraft('Told a moment ago');
  await expectMails(1);
  await post('/auth/mail', { email: 'ada@example.com' });
  await vi.waitFor(() => expect(smtp.taken.map(({ subject }) => subject)).toContain('Your sign-in link'), soon);
});

test('an agent cannot choose, and a server without a mail server names the missing setting', async () => {
  const { key } = await server.ok('create_key', { label: 'Agent' });
  expect((await server.call('set_notifications', { mail: 'off' }, { key: String(key) })).body).toMatchObject({
    code: 'forbidden',
  });
  const mute = await startTestServer();
  const { status, body } = await mute.call('set_notifications', { mail: 'each' });
  expect([status, body['code']]).toEqual([503, 'unavailable']);
  expect(body['detail']).toContain('THALAMUS_MAIL_URL');
  expect(await mute.ok('set_notifications', { mail: 'off' })).toMatchObject({ mail: 'off', can_mail: false });
  await mute.close();
});
