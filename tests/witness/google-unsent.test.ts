// Somebody else's emulator of Gmail finds every unsent mail, whatever is searched for: none but our own may be touched.
import { createServer, request as forward, type Server } from 'node:http';
import { once } from 'node:events';
import { createEmulator, type Emulator } from 'emulate';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitForOutcome } from '../support/acting.ts';
import { findFreePort } from '../support/free-port.ts';
import { signIn } from '../support/google.ts';
import { quickTimes } from '../support/quick-times.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { endLeases } from '../support/time-passes.ts';
import { giveEmulatorConsent } from './consent.ts';

const email = 'testuser@example.com';
const moved: Record<string, string> = { '/token': '/oauth2/token', '/revoke': '/oauth2/revoke' };
const drafts = '/gmail/v1/users/me/drafts';

let emulator: Emulator;
let front: Server;
let server: TestServer;
let url: string;
let authorization = '';
/** What is done with the next answer to `POST /drafts`. */
let onDrafted: ((cut: () => void, goOn: () => void) => void) | null = null;

beforeAll(async () => {
  const [port, frontPort, serverPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  url = `http://127.0.0.1:${frontPort}`;
  const client = { client_id: 'witness', client_secret: 'GOCSPX-witness' };
  const redirect_uris = [`http://localhost:${serverPort}/api/oauth/callback`];
  const seed = { google: { users: [{ email, name: 'Test User' }], oauth_clients: [{ ...client, redirect_uris }] } };
  emulator = await createEmulator({ service: 'google', port, baseUrl: url, seed });
  front = createServer((incoming, outgoing) => {
    const target = new URL(incoming.url ?? '/', url);
    authorization = incoming.headers.authorization ?? authorization;
    const path = `${moved[target.pathname] ?? target.pathname}${target.search}`;
    const passed = forward({ port, path, method: incoming.method, headers: incoming.headers }, (answer) => {
      const isDrafted = incoming.method === 'POST' && target.pathname === drafts;
      const act = isDrafted ? onDrafted : null;
      if (isDrafted) onDrafted = null;
      const goOn = () => answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers));
      if (act) act(() => outgoing.destroy(), goOn);
      else goOn();
    });
    incoming.pipe(passed);
  }).listen(frontPort, '127.0.0.1');
  await once(front, 'listening');
  server = await startTestServer({
    PORT: String(serverPort),
    THALAMUS_GOOGLE_BASE_URL: url,
    THALAMUS_GOOGLE_CLIENT_ID: client.client_id,
    THALAMUS_GOOGLE_CLIENT_SECRET: client.client_secret,
    ...quickTimes,
  });
  const browser = await signIn(server);
  const { authorization_url } = await browser.ok('start_oauth', { provider: 'google', source: 'gmail' });
  const { code, state } = await giveEmulatorConsent(String(authorization_url), email);
  await browser.ok('finish_oauth', { code, state });
  await server.ok('fetch_from_integration', { source: 'gmail', input: { query: 'in:anywhere' } });
});
afterAll(async () => {
  await server.close();
  front.close();
  await emulator.close();
});

async function callMailbox(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return (await response.json()) as Record<string, unknown>; // as Gmail answers
}

/** The subjects of the mails with a label. */
async function readSubjects(label: string): Promise<string[]> {
  const { messages = [] } = await callMailbox('GET', `/gmail/v1/users/me/messages?labelIds=${label}`);
  const each = (messages as { id: string }[]).map(async ({ id }) => {
    const { payload } = await callMailbox('GET', `/gmail/v1/users/me/messages/${id}`);
    const { headers } = payload as { headers: { name: string; value: string }[] };
    return headers.find(({ name }) => name === 'Subject')?.value ?? '';
  });
  return (await Promise.all(each)).toSorted();
}

beforeEach(async () => {
  const { drafts: left = [] } = await callMailbox('GET', drafts);
  if ((left as unknown[]).length) return;
  const mail = 'To: eve@example.com\r\nSubject: Half written\r\nMessage-ID: <own@example.com>\r\n\r\nNot yet';
  await callMailbox('POST', drafts, { message: { raw: Buffer.from(mail).toString('base64url') } });
});

async function createMailDraft(subject: string): Promise<string> {
  const input = { to: ['noah@example.com'], subject, body: 'Thanks.' };
  const request = { source: 'gmail', action_name: 'send_email', input };
  return String((await server.ok('act_on_integration', request))['draft_id']);
}

test('a person’s own unsent mail stays when the answer to ours is lost', async () => {
  const draftId = await createMailDraft('Lost while it was prepared');
  onDrafted = (cut) => cut();
  expect(await server.ok('confirm_action', { draft_id: draftId })).toMatchObject({ status: 'failed' });
  await expect.poll(() => readSubjects('DRAFT')).toEqual(['Half written']);
  expect(await readSubjects('SENT')).toEqual([]);
});

test('a process that continues does not send a person’s own unsent mail in place of ours', async () => {
  const draftId = await createMailDraft('The approved mail');
  const pausedAnswer = Promise.withResolvers<() => void>();
  onDrafted = (cut) => pausedAnswer.resolve(cut);
  const confirming = server.call('confirm_action', { draft_id: draftId });
  const cut = await pausedAnswer.promise;
  await endLeases(server.connectionString); // as after the death of its process
  expect(await waitForOutcome(server, draftId)).toMatchObject({ status: 'confirmed', ledger_is_whole: true });
  cut();
  await confirming;
  expect(await readSubjects('SENT')).toEqual(['The approved mail']);
  expect(await readSubjects('DRAFT')).toEqual(['Half written']);
});
