// Client authentication at the token endpoint: form, Basic or none (SE-014; RFC 6749 §2.3.1).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, type Browser } from '../../../../tests/support/google.ts';
import { startHttpRecorder, type HttpRecorder } from '../../../../tests/support/http-recorder.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

let server: TestServer;
let provider: HttpRecorder;
let browser: Browser;
beforeAll(async () => {
  provider = await startHttpRecorder();
  provider.answer = { status: 400, headers: { 'content-type': 'application/json' }, body: '{"error":"invalid_grant"}' };
  server = await startTestServer({ THALAMUS_EGRESS_ALLOW: provider.url });
  browser = await signIn(server);
});
afterAll(async () => {
  await server.close();
  await provider.close();
});

const basic = `Basic ${Buffer.from('the-client:the-secret').toString('base64')}`;

test.for([
  ['client_secret_post', { authorization: undefined, form: { client_id: 'the-client', client_secret: 'the-secret' } }],
  ['client_secret_basic', { authorization: basic, form: {} }],
  ['none', { authorization: undefined, form: { client_id: 'the-client' } }],
] as const)('token authentication: %s', async ([method, { authorization, form }]) => {
  const name = method.replaceAll('_', '-');
  await server.ok('configure_oauth_provider', {
    provider: name,
    label: name,
    authorization_url: `${provider.url}/authorize`,
    token_url: `${provider.url}/token`,
    token_auth_method: method,
    scopes: ['read'],
    client_id: 'the-client',
    ...(method !== 'none' && { client_secret: 'the-secret' }),
  });
  const { authorization_url } = await browser.ok('start_oauth', { provider: name, source: name });
  const state = new URL(String(authorization_url)).searchParams.get('state');
  provider.requests.splice(0);
  await expect(browser.ok('finish_oauth', { code: 'a-code', state })).rejects.toThrow();
  const [traded] = provider.requests;
  expect(traded).toMatchObject({ method: 'POST', url: '/token' });
  expect(traded?.headers.authorization).toBe(authorization);
  const sent = Object.fromEntries(new URLSearchParams(traded?.body));
  expect(sent).toMatchObject({ grant_type: 'authorization_code', code: 'a-code', code_verifier: expect.any(String) });
  const { client_id, client_secret } = sent;
  expect({ ...(client_id && { client_id }), ...(client_secret && { client_secret }) }).toEqual(form);
});

test('an unknown method is refused', async () => {
  const input = { provider: 'odd', authorization_url: `${provider.url}/a`, token_url: `${provider.url}/t` };
  const odd = { ...input, client_id: 'x', client_secret: 'y', token_auth_method: 'private_key_jwt' };
  expect((await server.call('configure_oauth_provider', odd)).status).toBe(422);
});
