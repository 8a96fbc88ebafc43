// A program on the person's own computer that listens on another port of localhost, and gets every cookie of the host.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { authorizeUrl, createPkce, register } from '../support/oauth.ts';
import { expect, test } from './fixture.ts';
import { readConsoleHeaders } from './own-headers.ts';

type Listener = { url: string; heard: { url: string; headers: IncomingHttpHeaders }[]; close(): void };

async function listenOnAnotherPort(): Promise<Listener> {
  const heard: Listener['heard'] = [];
  const server = createServer((request, response) => {
    heard.push({ url: request.url ?? '', headers: request.headers });
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<h1>Connected</h1>');
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { url: `http://localhost:${port}`, heard, close: () => void server.close() };
}

/** What opens things for a caller, and what the cookie of a person could be used for. */
const calls = [
  ['create_key', { label: 'Mine', scopes: ['actions:confirm'] }],
  ['create_sign_in_link', {}],
  ['who_am_i', {}],
  ['list_pending_actions', {}],
  ['search', { q: 'harbour' }],
  ['start_oauth', { provider: 'google', source: 'gmail' }],
] as const;

/** Everything that the listener tries with what the browser sent it. */
async function tryWith(url: string, headers: IncomingHttpHeaders): Promise<number[]> {
  const own = { cookie: headers.cookie ?? '', origin: url, 'sec-fetch-site': 'same-origin' };
  const sent = calls.map(([operation, input]) =>
    fetch(`${url}/v1/tools/${operation}`, {
      method: 'POST',
      headers: { ...own, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    }),
  );
  const read = ['/v1/events', '/v1/me', '/v1/training/download/knowledge'].map((path) =>
    fetch(`${url}${path}`, { headers: own }),
  );
  return (await Promise.all([...sent, ...read])).map(({ status }) => status);
}

for (const [button, result] of [
  ['Allow', /[?&]code=/],
  ['Decline', /error=access_denied/],
] as const)
  test(`a listener on another port that gets the cookie gets nothing with it, before and after ${button}`, async ({
    console: page,
    thalamus,
  }) => {
    const listener = await listenOnAnotherPort();
    try {
      const redirect_uri = `${listener.url}/callback`;
      const client = await register(thalamus, { client_name: 'Local helper', redirect_uris: [redirect_uri] });
      const { 'thalamus-session-proof': proof } = await readConsoleHeaders(page);
      await page.goto(`${listener.url}/before`);
      await page.goto(authorizeUrl(thalamus, client, createPkce(), { redirect_uri }));
      await expect(page.locator('input[name=session_proof]')).toHaveValue(proof ?? 'none');
      await page.getByRole('button', { name: button }).click();
      await page.waitForURL(`${listener.url}/**`);
      expect(page.url()).toMatch(result);

      const withCookie = listener.heard.filter(({ headers }) => headers.cookie?.includes('thalamus_session=ts_'));
      expect(withCookie.map(({ url }) => url.split('?')[0])).toEqual(expect.arrayContaining(['/before', '/callback']));
      for (const { url, headers } of withCookie)
        expect(await tryWith(thalamus.url, headers), url).toEqual(Array(calls.length + 3).fill(401));
      expect(JSON.stringify(listener.heard), 'the proof went nowhere').not.toContain(proof);
      // The person goes on as before, with the same session.
      await page.goto(`${thalamus.url}/agents`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Agents');
    } finally {
      listener.close();
    }
  });

test('a page on another port cannot read the proof, nor have the browser call with it', async ({
  console: page,
  thalamus,
}) => {
  const listener = await listenOnAnotherPort();
  try {
    await page.goto(listener.url);
    expect(await page.evaluate<number>('localStorage.length')).toBe(0);
    const call = `fetch('${thalamus.url}/v1/tools/who_am_i', { method: 'POST', credentials: 'include', body: '{}' }).then((answer) => answer.status, () => 'blocked')`;
    expect(await page.evaluate(call)).toBe('blocked');
  } finally {
    listener.close();
  }
});
