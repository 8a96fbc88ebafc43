import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSessionHeaders, readSession } from '../../../../tests/support/google.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

const received: { to: string[]; text: string }[] = [];
let smtp: SMTPServer;
let server: TestServer;

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, session, done) {
      const message = await text(stream);
      received.push({ to: session.envelope.rcptTo.map((each) => each.address), text: message });
      done();
    },
  });
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const address = smtp.server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  server = await startTestServer({
    THALAMUS_MAIL_URL: `smtp://127.0.0.1:${port}`,
    THALAMUS_OWNER_EMAIL: 'ada@example.com',
  });
});
afterAll(async () => {
  await server.close();
  await new Promise<void>((resolve) => smtp.close(resolve));
});

function post(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: server.url };
  return server.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Opens the link of a mail. Returns the headers of the session. */
async function signInWithMail(mail: string): Promise<Record<string, string>> {
  const token = /#(tl_[\w-]+)/.exec(mail.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[1];
  return buildSessionHeaders(await readSession(await post('/auth/sign-in', { token })));
}

test('a mailed link signs its person in to a human surface', async () => {
  expect((await post('/auth/mail', { email: 'Ada@Example.com' })).status).toBe(200);
  await expect.poll(() => received.length).toBe(1);
  const message = received[0]?.text ?? '';
  const headers = await signInWithMail(message);
  const me = await server.request('/v1/me', { headers });
  expect(await me.json()).toMatchObject({ person: { email: 'ada@example.com' }, caller: { is_human_surface: true } });
});

test('a person’s mail arrives although hundreds of other mails are requested at once', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Pier' });
  await server.ok('invite_member', { brain_id, email: 'kim@example.com', access_level: 'viewer' });
  const ask = (email: string, client: string) =>
    server.request('/auth/mail', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url, 'x-forwarded-for': client },
      body: JSON.stringify({ email }),
    });
  const strangers = Array.from({ length: 400 }, (_, at) => ask(`nobody${at}@example.com`, `198.51.${at % 40}.1`));
  const asked = ask('kim@example.com', '203.0.113.9');
  expect(new Set((await Promise.all(strangers)).map(({ status }) => status))).toEqual(new Set([200]));
  expect((await asked).status).toBe(200);
  const sent = () => received.filter(({ to }) => to.includes('kim@example.com'));
  await expect.poll(() => sent().length, { timeout: 15_000 }).toBe(1);
});

test('an unknown address gets the same answer and no mail, and nobody gets two mails in a minute', async () => {
  const before = received.length;
  const [unknown, again] = [
    await post('/auth/mail', { email: 'eve@example.com' }),
    await post('/auth/mail', { email: 'ada@example.com' }),
  ];
  expect(await unknown.json()).toEqual(await again.json());
  await new Promise((resolve) => setTimeout(resolve, 300)); // the mail of the previous test came earlier
  expect(received).toHaveLength(before);
});

test('an invited person requests a mail and joins by its link; another link signs the same person in', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Harbour' });
  const invited = await server.ok('invite_member', { brain_id, email: 'Lin@Example.com', access_level: 'editor' });
  expect(invited).toMatchObject({ status: 'invited', message: expect.stringContaining(`/sign-in`) });
  expect(invited).not.toHaveProperty('join_link');
  const ids: unknown[] = [];
  for (let round = 0; round < 2; round += 1) {
    const before = received.length;
    expect((await post('/auth/mail', { email: 'lin@example.com' })).status).toBe(200);
    await expect.poll(() => received.length).toBe(before + 1);
    expect(received.at(-1)?.to).toEqual(['lin@example.com']);
    const headers = await signInWithMail(received.at(-1)?.text ?? '');
    const me = (await (await server.request('/v1/me', { headers })).json()) as { person: { id: string } };
    expect(me).toMatchObject({ person: { name: 'Lin', role: 'member' }, caller: { is_human_surface: true } });
    ids.push(me.person.id);
    const { members } = await server.ok('list_members', { brain_id });
    expect(members).toContainEqual(expect.objectContaining({ user_id: me.person.id, access_level: 'editor' }));
  }
  expect(new Set(ids).size).toBe(1);
});

test('the answer does not reveal that the mail server is unreachable', async () => {
  const lonely = await startTestServer({
    THALAMUS_MAIL_URL: 'smtp://127.0.0.1:1',
    THALAMUS_LOG_LEVEL: 'silent',
    THALAMUS_OWNER_EMAIL: 'owner@localhost.test',
  });
  const headers = { 'content-type': 'application/json', origin: lonely.url };
  const body = JSON.stringify({ email: 'owner@localhost.test' });
  const statuses = await Promise.all(
    [body, JSON.stringify({ email: 'eve@example.com' })].map(
      async (each) => (await lonely.request('/auth/mail', { method: 'POST', headers, body: each })).status,
    ),
  );
  await lonely.close();
  expect(statuses).toEqual([200, 200]);
});
