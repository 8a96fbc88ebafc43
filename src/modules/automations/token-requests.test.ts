// Code requests tokens without approval where a person or a known provider named the endpoint, and nowhere else.
import { startGoogleEmulator, type GoogleEmulator } from '#emulators/google/index';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildGoogleSettings } from '../../../tests/support/google.ts';
import { startHttpRecorder, type HttpRecorder } from '../../../tests/support/http-recorder.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let google: GoogleEmulator;
let elsewhere: HttpRecorder;
let agent: string;

beforeAll(async () => {
  [elsewhere, google] = await Promise.all([startHttpRecorder(), startGoogleEmulator()]);
  const allowed = `${google.url},${elsewhere.url}`;
  server = await startTestServer({ ...buildGoogleSettings(google), THALAMUS_EGRESS_ALLOW: allowed });
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  const { refreshToken } = google.issueTokens('ada@example.com', ['https://www.googleapis.com/auth/gmail.modify']);
  const { id, secret } = google.client;
  await set('ID', id, ['header', 'form:client_id']);
  await set('SECRET', secret, ['header', 'form:client_secret']);
  await set('REFRESH', refreshToken, ['form:refresh_token']);
  await set('WIDE_ID', id, ['header', 'form:client_id'], [getHost(google), getHost(elsewhere)]);
  await set('DEPLOY', 'deploy-key-of-a-person', ['header', 'form:refresh_token'], [getHost(elsewhere)]);
  agent = String((await server.ok('create_key', { label: 'Agent' }))['key']);
});
afterAll(async () => {
  await server.close();
  await Promise.all([google.close(), elsewhere.close()]);
});
beforeEach(() => {
  elsewhere.requests.splice(0);
  elsewhere.answer = {};
});

const getHost = ({ url }: { url: string }) => new URL(url).host;
async function set(name: string, value: string, placements: string[], hosts = [getHost(google)]) {
  await server.ok('set_variable', { var_scope: 'person', var_name: name, value, placements, hosts });
}

const googleToken = 'https://oauth2.googleapis.com/token';
const ask = (url: string, fields: string, headers = '') => `
const answer = await fetch('${url}', { method: 'POST',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded', ${headers} },
  body: new URLSearchParams({ grant_type: 'refresh_token', ${fields} }).toString() });
const json = await answer.json();`;
const refresh = 'client_id: env.ID, client_secret: env.SECRET, refresh_token: env.REFRESH';
const reportCode = `return json.access_token ? 'tokens' : json.kind;`;
const tryToken = `
const used = await fetch('${'${url}'}', { headers: { Authorization: 'Bearer ' + json.access_token } }).catch((error) => error.code);
return used.status ?? used;`;

let saved = 0;
async function run(source: string, more: { dry_run?: boolean; verify_mode?: boolean; by?: string } = {}) {
  const { by: key = server.key, ...mode } = more;
  const hosts = ['oauth2.googleapis.com', 'gmail.googleapis.com', '127.0.0.1'];
  const { automation_id } = await server.ok(
    'save_automation_draft',
    {
      name: `Tokens ${(saved += 1)}`,
      source,
      triggers: [{ kind: 'manual' }],
      tool_grants: [{ tool: 'http_fetch' }],
      acknowledged_http_fetch_hosts: hosts,
    },
    { key },
  );
  const { run_id } = await server.ok('run_automation_once', { automation_id, dry_run: false, ...mode }, { key });
  return server.ok('get_automation_run', { run_id }, { key });
}

describe('a token may go where the credential that bought it may go', () => {
  test('and not to a host of another handle in the request', async () => {
    const source = ask(googleToken, 'client_id: env.WIDE_ID, client_secret: env.SECRET, refresh_token: env.REFRESH');
    const { result } = await run(source + tryToken.replace('${url}', `${elsewhere.url}/collect`));
    expect(result).toBe('invalid_input');
    expect(elsewhere.requests).toEqual([]);
  });

  test('with a handle besides the client’s credentials, a person must approve the request', async () => {
    expect((await run(ask(googleToken, refresh, `'x-more': env.WIDE_ID,`) + reportCode)).result).toBe('draft');
    expect((await run(ask(googleToken, `${refresh}, scope: env.WIDE_ID`) + reportCode)).result).toBe('draft');
    expect((await run(ask(googleToken, refresh) + reportCode)).result).toBe('tokens');
  });
});

describe('a token endpoint must be named by a person or a known provider', () => {
  test.for(['/job/deploy/build;token', '/oauth/token', '/token'])(
    'a POST with a person’s key to %s waits, whatever the placements of the key',
    async (path) => {
      const { result } = await run(ask(elsewhere.url + path, 'refresh_token: env.DEPLOY') + reportCode, {
        by: server.key,
      });
      expect(result).toBe('draft');
      expect(elsewhere.requests).toEqual([]);
    },
  );

  test('the page of a consent names an endpoint exactly, for its own credentials', async () => {
    google.addClient({ id: 'own-id', secret: 'own-secret', redirectUris: [/^http:/] });
    const made = await server.ok('create_variable_bundle_link', {
      bundle_variables: [
        { name: 'OWN_ID', label: 'Client ID', input_type: 'text' },
        { name: 'OWN_SECRET', label: 'Client Secret' },
      ],
      bundle_oauth: {
        authorize_url: `${google.url}/o/oauth2/v2/auth?access_type=offline&prompt=consent`,
        token_url: `${google.url}/token`,
        scopes: ['https://www.googleapis.com/auth/gmail.readonly'],
        client_id_from: 'OWN_ID',
        client_secret_from: 'OWN_SECRET',
        derive: { OWN_REFRESH: 'refresh_token' },
      },
      var_scope: 'person',
    });
    const own = 'client_id: env.OWN_ID, client_secret: env.OWN_SECRET, refresh_token: env.OWN_REFRESH';
    await giveConsent(new URL(String(made['url'])).pathname, {
      'value:OWN_ID': 'own-id',
      'value:OWN_SECRET': 'own-secret',
    });
    expect((await run(ask(`${google.url}/token`, own) + reportCode)).result).toBe('tokens');
    expect((await run(ask(`${google.url}/x/../%74oken`, own) + reportCode)).result).toBe('tokens');
    expect((await run(ask(`${google.url}/token/`, own) + reportCode)).result).toBe('draft');
    expect((await run(ask(`${google.url}/token`, own.replace('OWN_ID', 'ID')) + reportCode)).result).toBe('draft');
  });

  test.for([{ dry_run: true }, { verify_mode: true }])('no token is requested with %o', async (mode) => {
    const { result } = await run(
      `try { ${ask(googleToken, refresh)} ${reportCode} } catch (error) { return error.code }`,
      mode,
    );
    expect(result).toBe('forbidden');
  });
});

describe('hosts that an agent acknowledged for an automation that no person ever activated', () => {
  const read = () => `return (await fetch('${elsewhere.url}/read').catch((error) => error)).status ?? 'refused';`;

  test('count only for a person’s own run', async () => {
    const { automation_id } = await run(read(), { by: agent });
    expect(elsewhere.requests).toEqual([]);
    const { run_id } = await server.ok('run_automation_once', { automation_id, dry_run: false });
    expect((await server.ok('get_automation_run', { run_id })).result).toBe(200);
    const again = await server.ok('run_automation_once', { automation_id, dry_run: false }, { key: agent });
    expect((await server.ok('get_automation_run', { run_id: again['run_id'] })).result).toBe('refused');
    expect(elsewhere.requests).toHaveLength(1);
  });

  test('count for the agent, too, when the person acknowledged them or activated it', async () => {
    const byAgent = async (automation_id: unknown) => {
      const { run_id } = await server.ok('run_automation_once', { automation_id, dry_run: false }, { key: agent });
      return (await server.ok('get_automation_run', { run_id })).result;
    };
    expect(await byAgent((await run(read())).automation_id)).toBe(200);
    const { automation_id } = await run(read(), { by: agent });
    expect(await byAgent(automation_id)).toBe('refused');
    await server.ok('update_automation', { automation_id, state: 'active' });
    expect(await byAgent(automation_id)).toBe(200);
  });
});

async function giveConsent(path: string, fields: Record<string, string>) {
  const post = { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' } as const;
  const pasted = await server.request(path, post);
  const cookie = pasted.headers.get('set-cookie')?.split(';')[0] ?? '';
  const url = /href="([^"]+)"/.exec(await pasted.text())?.[1]?.replaceAll('&amp;', '&') ?? '';
  const callback = await google.approve(url, { email: 'ada@example.com' });
  const { pathname, search } = new URL(callback);
  const done = await server.request(pathname + search, { headers: { cookie } });
  expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('Connected')]);
}
