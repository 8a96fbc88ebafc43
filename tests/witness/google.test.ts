// The main story against somebody else's emulator of Google, so that we do not only agree with ourselves.
import { createServer, request as forward, type Server } from 'node:http';
import { once } from 'node:events';
import { createEmulator, type Emulator } from 'emulate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn } from '../support/google.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { findFreePort } from '../support/free-port.ts';
import { giveEmulatorConsent } from './consent.ts';

const email = 'testuser@example.com';
/** Paths that the emulator has at another place than Google. */
const moved: Record<string, string> = { '/token': '/oauth2/token', '/revoke': '/oauth2/revoke' };

let emulator: Emulator;
let front: Server;
let server: TestServer;

beforeAll(async () => {
  const [port, frontPort, serverPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const url = `http://127.0.0.1:${frontPort}`;
  emulator = await createEmulator({
    service: 'google',
    port,
    baseUrl: url,
    seed: {
      google: {
        users: [{ email, name: 'Test User' }],
        oauth_clients: [
          {
            client_id: 'witness',
            client_secret: 'GOCSPX-witness',
            redirect_uris: [`http://localhost:${serverPort}/api/oauth/callback`],
          },
        ],
        messages: [
          {
            id: 'msg_kickoff',
            user_email: email,
            from: 'noah@example.com',
            to: email,
            subject: 'Kickoff agenda',
            body_text: 'We begin with the zeppelin budget.',
            label_ids: ['INBOX'],
          },
        ],
        calendars: [
          { id: 'primary', user_email: email, summary: email, primary: true, selected: true, time_zone: 'UTC' },
        ],
        calendar_events: [
          {
            id: 'evt_kickoff',
            user_email: email,
            calendar_id: 'primary',
            summary: 'Project Kickoff',
            start_date_time: '2027-01-10T09:00:00.000Z',
            end_date_time: '2027-01-10T09:30:00.000Z',
          },
        ],
      },
    },
  });
  front = createServer((incoming, outgoing) => {
    const target = new URL(incoming.url ?? '/', url);
    const path = `${moved[target.pathname] ?? target.pathname}${target.search}`;
    const passed = forward({ port, path, method: incoming.method, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  }).listen(frontPort, '127.0.0.1');
  await once(front, 'listening');
  server = await startTestServer({
    PORT: String(serverPort),
    THALAMUS_GOOGLE_BASE_URL: url,
    THALAMUS_GOOGLE_CLIENT_ID: 'witness',
    THALAMUS_GOOGLE_CLIENT_SECRET: 'GOCSPX-witness',
  });
});

afterAll(async () => {
  await server.close();
  front.close();
  await emulator.close();
});

async function link(source: string): Promise<void> {
  const browser = await signIn(server);
  const { authorization_url } = await browser.ok('start_oauth', { provider: 'google', source });
  const { code, state } = await giveEmulatorConsent(String(authorization_url), email);
  expect(await browser.ok('finish_oauth', { code, state })).toMatchObject({ account: email });
}

test('mail is read and found, and a confirmed reply is sent once', async () => {
  await link('gmail');
  const read = await server.ok('fetch_from_integration', { source: 'gmail', input: { query: 'zeppelin' } });
  expect(read).toMatchObject({ ingested_count: 1 });
  const { pages } = await server.ok('search', { q: 'zeppelin budget' });
  expect(pages).toEqual([expect.objectContaining({ type: 'email', title: 'Kickoff agenda' })]);

  const input = { to: ['noah@example.com'], subject: 'I will be there', body: 'Thanks.' };
  const { draft_id } = await server.ok('act_on_integration', { source: 'gmail', action_name: 'send_email', input });
  const answers = await Promise.all([1, 2].map(() => server.ok('confirm_action', { draft_id })));
  expect(answers).toEqual([1, 2].map(() => expect.objectContaining({ status: 'confirmed' })));
  const sent = await server.ok('fetch_from_integration', { source: 'gmail', input: { query: 'in:sent' } });
  expect(sent).toMatchObject({ ingested_count: 1 });
  expect((await server.ok('search', { q: '"I will be there"' }))['pages']).toHaveLength(1);
});

test('events are read, and a confirmed event is in the calendar', async () => {
  await link('calendar');
  const window = { start: '2027-01-10T00:00:00Z', end: '2027-01-11T00:00:00Z' };
  const read = await server.ok('fetch_from_integration', { source: 'calendar', input: window });
  expect(read).toMatchObject({ ingested_count: 1 });
  const input = { summary: 'Retrospective', start: '2027-01-10T12:00:00Z', end: '2027-01-10T13:00:00Z' };
  const { draft_id } = await server.ok('act_on_integration', {
    source: 'calendar',
    action_name: 'create_event',
    input,
  });
  expect(await server.ok('confirm_action', { draft_id })).toMatchObject({ status: 'confirmed' });
  await server.ok('fetch_from_integration', { source: 'calendar', input: window });
  expect((await server.ok('search', { q: 'retrospective' }))['pages']).toHaveLength(1);
});
