// A bundle that is recognised as HubSpot's by its scopes, with panva/oidc-provider in HubSpot's place.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRotatingOAuth, type RotatingOAuth } from '#emulators/rotating-oauth/index';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

const publicUrl = 'http://localhost:4749';
const scopes = ['oauth', 'crm.objects.contacts.read'];
let hubspot: RotatingOAuth;
let server: TestServer;

beforeAll(async () => {
  hubspot = await startRotatingOAuth(`${publicUrl}/bundle-oauth-callback`, 'hubspot');
  server = await startTestServer({ THALAMUS_PUBLIC_URL: publicUrl, THALAMUS_HUBSPOT_BASE_URL: hubspot.url });
});
afterAll(async () => {
  await server.close();
  await hubspot.close();
});

test('a consent at HubSpot uses its own address, and its tokens are exchanged and stored', async () => {
  const made = await server.ok('create_variable_bundle_link', {
    bundle_variables: [
      { name: 'HUBSPOT_ID', label: 'Client ID', input_type: 'text' },
      { name: 'HUBSPOT_SECRET', label: 'Client Secret' },
    ],
    bundle_oauth: {
      scopes,
      client_id_from: 'HUBSPOT_ID',
      client_secret_from: 'HUBSPOT_SECRET',
      derive: { HUBSPOT_REFRESH_TOKEN: 'refresh_token' },
    },
    bundle_provider_label: 'Our HubSpot',
    var_scope: 'org',
  });
  const { pathname } = new URL(String(made['url']));
  expect(await (await server.request(pathname)).text()).toContain('at <strong>app.hubspot.com</strong>');
  const body = new URLSearchParams({
    'value:HUBSPOT_ID': hubspot.client.id,
    'value:HUBSPOT_SECRET': hubspot.client.secret,
  });
  const pasted = await server.request(pathname, { method: 'POST', body, redirect: 'manual' });
  const cookie = pasted.headers.get('set-cookie')?.split(';')[0] ?? '';
  const url = /href="([^"]+)"/.exec(await pasted.text())?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(new URL(url).pathname).toBe('/oauth/authorize');
  expect(new URL(url).searchParams.get('scope')?.split(' ')).toEqual(scopes);
  const { code, state } = await hubspot.approve(url, 'ada');
  const callback = `/bundle-oauth-callback?${new URLSearchParams({ code, state })}`;
  const done = await server.request(callback, { headers: { cookie } });
  expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('Connected')]);
  const { variables } = await server.ok('list_variables', { var_scope: 'org' });
  expect((variables as { name: string }[]).map(({ name }) => name).toSorted()).toEqual([
    'HUBSPOT_ID',
    'HUBSPOT_REFRESH_TOKEN',
    'HUBSPOT_SECRET',
  ]);
});
