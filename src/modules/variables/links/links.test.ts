import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGoogleEmulator, type GoogleEmulator } from '#emulators/google/index';
import { startServerWithGoogle, signIn } from '../../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { addPerson } from '../../../../tests/support/second-person.ts';
import type { TestServer } from '../../../../tests/support/server.ts';

const secret = 'canary <b>"pasted"</b> zq8x';
const scopes = ['https://www.googleapis.com/auth/gmail.readonly'];
let server: TestServer;
let google: GoogleEmulator;
let database: OwnerDatabase;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  google.addClient({ id: 'own-client-id', secret: 'own-client-secret', redirectUris: [/^http:/] });
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await close();
});

const getPath = (url: unknown) => new URL(String(url)).pathname;
const createLink = async (input: Record<string, unknown> = {}) =>
  getPath((await server.ok('create_variable_link', { var_name: 'TOKEN', var_scope: 'org', ...input }))['url']);
const send = (path: string, fields: Record<string, string>, cookie = '') =>
  server.request(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: cookie ? { cookie } : {},
    redirect: 'manual',
  });
const listNames = async (input = {}) =>
  ((await server.ok('list_variables', input))['variables'] as { name: string }[]).map(({ name }) => name);
const createBundle = async (name: string, oauth: Record<string, unknown> = {}) =>
  server.ok('create_variable_bundle_link', {
    bundle_variables: [
      { name: `${name}_CLIENT_ID`, label: 'Client ID', input_type: 'text' },
      { name: `${name}_CLIENT_SECRET`, label: 'Client Secret', description: 'From your <OAuth> client' },
    ],
    bundle_oauth: {
      scopes,
      client_id_from: `${name}_CLIENT_ID`,
      client_secret_from: `${name}_CLIENT_SECRET`,
      derive: { [`${name}_REFRESH_TOKEN`]: 'refresh_token' },
      ...oauth,
    },
    bundle_provider_label: 'Our Google',
    var_scope: 'org',
  });

async function expectPage(response: Response, status: number, text: RegExp): Promise<string> {
  const page = await response.text();
  expect(page).toMatch(text);
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toContain('text/html');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/);
  const style = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? '';
  expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(page.replace(/<script src="\/fill-session-proof\.js" defer><\/script>/g, '')).not.toMatch(
    /<script|canary|own-client-secret|\son\w+=/,
  );
  return page;
}

test('links are created for the workspace, a brain, an agent and a permission set, and for no other tier', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Linked' });
  const { key_id } = await server.ok('create_key', { label: 'Linked' });
  const { permission_set_id } = await server.ok('create_permission_set', { name: 'Linked' });
  const tiers = { org: undefined, brain: brain_id, agent: key_id, permission_set: permission_set_id };
  for (const [var_scope, scope_id] of Object.entries(tiers)) {
    const path = await createLink({ var_scope, scope_id, var_name: 'OF_TIER' });
    await expectPage(await send(path, { 'value:OF_TIER': 'v', 'hosts:OF_TIER': '' }), 200, /Saved/);
    expect(await listNames({ var_scope, scope_id })).toContain('OF_TIER');
    await server.ok('delete_variable', { var_scope, scope_id, var_name: 'OF_TIER' });
  }
  const other = { var_name: 'OF_TIER', var_scope: 'workspace' };
  expect((await server.call('create_variable_link', other)).status).toBe(422);
});

describe('a link for one variable', () => {
  test('shows the name and its hosts, accepts the value once, and never shows it', async () => {
    const path = await createLink({ description: 'For <invoices>', hosts: ['api.apify.com'] });
    const page = await expectPage(await server.request(path), 200, /Set TOKEN/);
    expect(page).toContain('For &lt;invoices&gt;');
    expect(page).toContain('value="api.apify.com"');
    const given = { 'value:TOKEN': ` ${secret}\n`, 'hosts:TOKEN': 'api.apify.com, *.apify.com' };
    await expectPage(await send(path, given), 200, /Saved/);
    await expectPage(await send(path, given), 409, /already used/);
    await expectPage(await server.request(path), 409, /already used/);
    const { variables } = await server.ok('list_variables', { var_scope: 'org' });
    expect(variables).toMatchObject([
      { name: 'TOKEN', hosts: ['api.apify.com', '*.apify.com'], placements: ['header'] },
    ]);
    expect(await database.dump()).not.toMatch(/canary|zq8x/);
    const [row] = await database.rows(
      `select caller_kind, subject from audit_log where operation = 'set_variables_page'`,
    );
    expect(row).toMatchObject({ caller_kind: 'link', subject: { variable_id: [expect.any(String)] } });
  });

  test('for an existing variable proposes its former hosts, and keeps its handle', async () => {
    const before = await server.ok('set_variable', {
      var_scope: 'org',
      var_name: 'OLD',
      value: 'v',
      placements: ['query:k'],
      hosts: ['a.example'],
    });
    const path = await createLink({ var_name: 'OLD' });
    expect(await (await server.request(path)).text()).toMatch(/Sent in: query:k[^]*value="a\.example"/);
    await expectPage(await send(path, { 'value:OLD': 'w', 'hosts:OLD': 'a.example' }), 200, /Saved/);
    const { variables } = await server.ok('list_variables', { var_scope: 'org' });
    const after = (variables as Record<string, unknown>[]).find(({ name }) => name === 'OLD');
    expect(after).toMatchObject({ handle: before['handle'], placements: ['query:k'], hosts: ['a.example'] });
  });

  test('is used by one of many people who submit at once', async () => {
    const path = await createLink({ var_name: 'ONCE' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => send(path, { 'value:ONCE': `v${n}`, 'hosts:ONCE': '' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(409)]);
  });

  test('asks again for a value that cannot be stored, keeps nothing of it, and stays usable', async () => {
    const path = await createLink({ var_name: 'AGAIN' });
    for (const [given, message] of [
      [{ 'value:AGAIN': '  ', 'hosts:AGAIN': '' }, /the value is missing/],
      [{ 'value:AGAIN': `canary${'x'.repeat(8_200)}`, 'hosts:AGAIN': '' }, /longer than 8192/],
      [{ 'value:AGAIN': 'canary', 'hosts:AGAIN': 'https://x.example/' }, /hosts are names/],
    ] as const) {
      await expectPage(await send(path, given), 422, message);
    }
    await expectPage(await send(path, { 'value:AGAIN': 'v' }), 200, /Saved/);
  });

  test('shows what to do when it is wrong or expired', async () => {
    await expectPage(await server.request('/set-variable/sv_nothing'), 404, /no such link/);
    const path = await createLink({ var_name: 'LATE' });
    await database.rows(`update one_time_secrets set expires_at = now() - interval '1 second' where used_at is null`);
    await expectPage(await server.request(path), 409, /has expired/);
    await expectPage(await send(path, { 'value:LATE': 'v' }), 409, /has expired/);
    expect(await listNames()).not.toContain('LATE');
  });

  test('expires in ten minutes, is created by people who may change the variable, and is not stored for repeated requests', async () => {
    const made = await server.ok('create_variable_link', { var_name: 'X', var_scope: 'org' });
    expect(made).toMatchObject({ expires_in: '10 minutes', single_use: true });
    const [row] = await database.rows(
      `select extract(epoch from expires_at - created_at)::int as seconds from one_time_secrets order by created_at desc`,
    );
    expect(row).toEqual({ seconds: 600 });
    const member = await addPerson(database);
    const input = { var_name: 'X', var_scope: 'org' };
    expect((await server.call('create_variable_link', input, { key: member.key })).status).toBe(403);
    const headers = { 'idempotency-key': 'again' };
    expect((await server.call('create_variable_link', input, { headers })).status).toBe(422);
  });

  test('refuses a value that is too large for the page before reading it', async () => {
    const path = await createLink({ var_name: 'HUGE' });
    await expectPage(await send(path, { 'value:HUGE': 'canary'.repeat(100_000) }), 413, /Paste only the value/);
  });
});

describe('a bundle', () => {
  test('without a consent is stored as a whole or not at all, and completes a webhook connector that waits', async () => {
    const { brain_id } = await server.ok('create_brain', { name: 'Payments' });
    const waits = { webhook_secret_variable: 'STRIPE_SK', provider: 'stripe', brain_id, name: 'Payments' };
    const { connector_id } = await server.ok('create_webhook_connector', waits);
    const made = await server.ok('create_variable_bundle_link', {
      bundle_variables: [
        { name: 'STRIPE_PK', label: 'Publishable Key', input_type: 'text' },
        { name: 'STRIPE_SK', label: 'Secret Key' },
      ],
      var_scope: 'org',
    });
    expect(made).toMatchObject({ variables_will_be_saved: ['STRIPE_PK', 'STRIPE_SK'], expires_in: '30 minutes' });
    const path = getPath(made['url']);
    expect(path).toMatch(/^\/set-variables\/sv_/);
    await expectPage(await send(path, { 'value:STRIPE_PK': 'pk' }), 422, /Secret Key: the value is missing/);
    expect(await listNames()).not.toContain('STRIPE_PK');
    await expectPage(await send(path, { 'value:STRIPE_PK': 'pk', 'value:STRIPE_SK': secret }), 200, /Saved/);
    expect(await listNames()).toEqual(expect.arrayContaining(['STRIPE_PK', 'STRIPE_SK']));
    const connector = () => server.ok('get_webhook_connector', { webhook_connector_id: connector_id });
    await expect.poll(connector, { timeout: 5_000, interval: 25 }).toMatchObject({ has_secret: true });
  });

  /**
   * Pastes the client, and consents like a person does. Returns where the provider sends the browser, and the cookie.
   */
  async function consent(path: string, name: string, clientSecret = 'own-client-secret') {
    const pasted = { [`value:${name}_CLIENT_ID`]: 'own-client-id', [`value:${name}_CLIENT_SECRET`]: clientSecret };
    const response = await send(path, pasted);
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(response.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/);
    const page = await expectPage(response, 200, /Continue to Our Google/);
    const url = /href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const target = new URL(await google.approve(url, { email: 'ada@example.com' }));
    return { callback: target.pathname + target.search, cookie };
  }

  test('with a consent stores the pasted values and those of the consent, and shows Connected', async () => {
    const made = await createBundle('MY_GMAIL');
    expect(made).toMatchObject({
      variables_pasted: ['MY_GMAIL_CLIENT_ID', 'MY_GMAIL_CLIENT_SECRET'],
      variables_derived_from_oauth: ['MY_GMAIL_REFRESH_TOKEN'],
      redirect_uri: expect.stringMatching(/\/bundle-oauth-callback$/),
    });
    const page = await expectPage(
      await server.request(getPath(made['url'])),
      200,
      /After this form you go to Our Google/,
    );
    expect(page).toContain(scopes[0]);
    expect(page).toContain('From your &lt;OAuth&gt; client');
    expect(page).toContain(`at <strong>accounts.google.com</strong>`);
    const { callback, cookie } = await consent(getPath(made['url']), 'MY_GMAIL');
    expect(await database.dump()).not.toContain('own-client-secret');
    expect(await listNames()).not.toContain('MY_GMAIL_CLIENT_ID');
    await expectPage(await server.request(callback, { headers: { cookie } }), 200, /Connected/);
    const { variables } = await server.ok('list_variables', { var_scope: 'org' });
    const token = (variables as Record<string, unknown>[]).find((each) => each['name'] === 'MY_GMAIL_REFRESH_TOKEN');
    expect(token).toMatchObject({ placements: ['form:refresh_token'], hosts: [new URL(google.url).host] });
    const client = (variables as Record<string, unknown>[]).find((each) => each['name'] === 'MY_GMAIL_CLIENT_SECRET');
    expect(client).toMatchObject({ placements: ['header', 'form:client_secret'], hosts: [new URL(google.url).host] });
    await expectPage(await server.request(callback, { headers: { cookie } }), 409, /was used/);
    await expectPage(await server.request(getPath(made['url'])), 409, /already used/);
    expect(await database.rows('select * from consents')).toEqual([]);
  });

  test('at an unknown provider stores a token that can be used at once, at the provider’s host', async () => {
    const addresses = { authorize_url: `${google.url}/o/oauth2/v2/auth`, token_url: `${google.url}/token` };
    const made = await createBundle('ACME', { ...addresses, derive: { ACME_ACCESS_TOKEN: 'access_token' } });
    const { callback, cookie } = await consent(getPath(made['url']), 'ACME');
    await expectPage(await server.request(callback, { headers: { cookie } }), 200, /Connected/);
    const { variables } = await server.ok('list_variables', { var_scope: 'org' });
    const token = (variables as Record<string, unknown>[]).find(({ name }) => name === 'ACME_ACCESS_TOKEN');
    expect(token).toMatchObject({ hosts: [new URL(google.url).host] });
    const headers = { authorization: `Bearer ${token?.['handle']}` };
    const asked = { url: `${google.url}/gmail/v1/users/me/profile`, headers };
    expect(await server.ok('http_fetch', asked)).toMatchObject({ status: 200 });
  });

  test('cannot be finished in another browser', async () => {
    const made = await createBundle('OTHER');
    const { callback, cookie } = await consent(getPath(made['url']), 'OTHER');
    await expectPage(await server.request(callback), 409, /started in another browser/);
    const stranger = { headers: { cookie: 'thalamus_consent=guessed' } };
    await expectPage(await server.request(callback, stranger), 409, /started in another browser/);
    expect(await listNames()).not.toContain('OTHER_REFRESH_TOKEN');
    await expectPage(await server.request(callback, { headers: { cookie } }), 200, /Connected/);
  });

  test('that is declined, or whose client is wrong, stores nothing and can be repeated', async () => {
    const path = getPath((await createBundle('RETRY'))['url']);
    await expectPage(await server.request('/bundle-oauth-callback?error=access_denied'), 409, /Open the link again/);
    const wrong = await consent(path, 'RETRY', 'canary-wrong-secret');
    await expectPage(await server.request(wrong.callback, { headers: { cookie: wrong.cookie } }), 502, /refused/);
    expect(await listNames()).not.toContain('RETRY_CLIENT_ID');
    const right = await consent(path, 'RETRY');
    await expectPage(await server.request(right.callback, { headers: { cookie: right.cookie } }), 200, /Connected/);
  });

  test.for([
    ['an unknown provider', { scopes: ['read'] }, /provider: name google or hubspot/],
    [
      'an address that is not https',
      { authorize_url: 'http://x.example/a', token_url: 'https://x.example/t' },
      /is not an https address/,
    ],
    [
      'a consent at Google that somebody else would trade',
      { authorize_url: 'https://accounts.google.com/o/oauth2/v2/auth', token_url: 'https://collector.example/token' },
      /uses the token endpoint https:\/\/oauth2.googleapis.com/,
    ],
    [
      'a consent at Google, whose name has a dot at its end',
      {
        authorize_url: 'https://accounts.google.com./o/oauth2/v2/auth',
        token_url: 'https://script.google.com/macros/s/x/exec',
      },
      /uses the token endpoint https:\/\/oauth2.googleapis.com/,
    ],
    [
      'a consent at another page of Google',
      { authorize_url: 'https://www.google.com/o/oauth2/auth', token_url: 'https://script.google.com/macros/s/x/exec' },
      /uses the token endpoint https:\/\/oauth2.googleapis.com/,
    ],
    [
      'a page and a token endpoint of two holders',
      { authorize_url: 'https://login.example.co.uk/a', token_url: 'https://collector.co.uk/token' },
      /a consent at example\.co\.uk cannot use the token endpoint collector\.co\.uk/,
    ],
    ['a client that is not pasted', { client_id_from: 'ELSEWHERE' }, /not one of the pasted variables/],
    ['a name that is pasted and derived', { derive: { BAD_CLIENT_ID: 'refresh_token' } }, /named twice/],
  ] as const)('for %s is refused', async ([, oauth, message]) => {
    await expect(createBundle('BAD', oauth)).rejects.toThrow(message);
  });
});

test('with a consent shows who receives the client, and exchanges the code', async () => {
  const oauth = { authorize_url: 'https://login.example.com/a', token_url: 'https://tokens.example.com/t' };
  const page = await server.request(getPath((await createBundle('OTHER', oauth))['url']));
  await expectPage(page, 200, /<strong>login\.example\.com<\/strong>[\s\S]*<strong>tokens\.example\.com<\/strong>/);
});

const outside = 'https://93.184.216.34/x';
const listBothOrders = (inside: string) => [
  { authorize_url: inside, token_url: outside },
  { authorize_url: outside, token_url: inside },
];
const hidden = ['https://10.1.2.3/authorize', 'https://[::ffff:169.254.169.254]/latest', 'https://localhost/authorize'];

test.each(hidden)('no link can be created for a consent at %s', async (inside) => {
  for (const oauth of listBothOrders(inside))
    await expect(createBundle('INSIDE', oauth)).rejects.toThrow(/not an https address of/);
});

test.each(['https://rfc1918.invalid/authorize'])('neither a person nor a code is sent to %s', async (inside) => {
  const path = getPath((await createBundle('INSIDE', { authorize_url: inside, token_url: inside }))['url']);
  const sent = await send(path, { 'value:INSIDE_CLIENT_ID': 'id', 'value:INSIDE_CLIENT_SECRET': 'secret' });
  const page = await sent.text();
  expect(page).toMatch(/Only public|no public host|looked up|is not a public/);
  expect(sent.status).toBeGreaterThanOrEqual(400);
  expect(page).not.toContain(`href="${inside}`);
});

describe('the playground', () => {
  let cookie: string;
  let proof: string;
  beforeAll(async () => void ({ cookie, proof } = await signIn(server)));
  const own = () => ({ cookie, origin: server.url });
  const get = (path: string) => server.request(path, { headers: own() });
  const post = (path: string, fields: [string, string][], headers: Record<string, string> = own()) =>
    server.request(path, {
      method: 'POST',
      body: new URLSearchParams([...fields, ['session_proof', proof]]),
      headers,
    });
  const client: [string, string][] = [
    ['client_id', 'own-client-id'],
    ['client_secret', 'own-client-secret'],
  ];

  test('is prefilled, says so, and selects the known values', async () => {
    const query = new URLSearchParams({ provider: 'google', label: 'Invoices <by> mail', scopes: `${scopes[0]},odd` });
    const page = await expectPage(await get(`/oauth-playground?${query}`), 200, /Pre-filled by your AI/);
    expect(page).toContain('Invoices &lt;by&gt; mail');
    expect(page).toMatch(new RegExp(`value="${scopes[0]}"\\s+checked`));
    expect(page).toMatch(/<textarea[^>]*>odd<\/textarea>/);
    expect(page).toMatch(/<option value="google" selected/);
    expect(await (await get('/oauth-playground')).text()).not.toContain('Pre-filled');
    // The request of the page's own button «Choose».
    expect(await (await get('/oauth-playground?provider=google&label=&scopes=')).text()).not.toContain('Pre-filled');
    const declined = await get('/oauth-playground/callback?state=x&error=access_denied');
    expect(await declined.text()).toMatch(/href="\/oauth-playground">Begin again/);
    const unknown = await (await get('/oauth-playground?provider=acme&scopes=a,b')).text();
    expect(unknown).toMatch(/<textarea[^>]*>a\nb<\/textarea>/);
    expect(unknown).toContain('name="token_url"');
    expect(await (await get('/oauth-playground?provider=hubspot')).text()).toContain('crm.objects.deals.read');
  });

  test('is for signed-in people, on this server’s own page', async () => {
    await expectPage(await server.request('/oauth-playground'), 401, /Sign in first/);
    const key = { authorization: `Bearer ${server.key}` };
    await expectPage(await server.request('/oauth-playground', { headers: key }), 401, /Sign in first/);
    const foreign = await post('/oauth-playground', client, { cookie, origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    const withoutProof = await server.request('/oauth-playground', {
      method: 'POST',
      body: new URLSearchParams(client),
      headers: own(),
    });
    await expectPage(withoutProof, 401, /Sign in first/);
  });

  test('shows masked tokens only, and stores them in one click', async () => {
    const scope = ['scope', scopes[0] ?? ''] as [string, string];
    const trial = await post('/oauth-playground', [['provider', 'google'], ['label', 'Our mail'], scope, ...client]);
    const page = await expectPage(trial, 200, /Continue to Our mail/);
    const url = /href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const target = new URL(await google.approve(url, { email: 'ada@example.com' }));
    const result = await expectPage(await get(target.pathname + target.search), 200, /It works/);
    const [issued] = google.ledger
      .all()
      .filter(({ path }) => path === '/token')
      .slice(-1);
    const tokens = Object.entries(issued?.response as Record<string, string>).filter(([name]) =>
      name.endsWith('_token'),
    );
    expect(tokens.length).toBeGreaterThan(1);
    for (const [, token] of tokens) {
      expect(result).not.toContain(token);
      expect(await database.dump()).not.toContain(token);
    }
    const id = /name="id" value="([^"]+)"/.exec(result)?.[1] ?? '';
    expect(result).toContain('value="OUR_MAIL"');
    const saving: [string, string][] = [
      ['id', id],
      ['prefix', 'PLAY'],
      ['var_scope', 'person'],
    ];
    await expectPage(await post('/oauth-playground/save', saving), 200, /PLAY_REFRESH_TOKEN/);
    await expectPage(await post('/oauth-playground/save', saving), 409, /already stored/);
    const mine = ['PLAY_CLIENT_ID', 'PLAY_CLIENT_SECRET', 'PLAY_REFRESH_TOKEN'];
    expect(await listNames({ var_scope: 'person' })).toEqual(expect.arrayContaining(mine));
  });

  test('asks again when a value is missing', async () => {
    const incomplete = [['provider', 'google'], ...client] as [string, string][];
    await expectPage(await post('/oauth-playground', incomplete), 422, /at least one scope/);
  });
});

test('asks no Google other than the operator’s', async () => {
  const stranger = await startGoogleEmulator();
  const made = createBundle('STRANGE', { authorize_url: `${stranger.url}/o`, token_url: `${stranger.url}/token` });
  await expect(made).rejects.toThrow(/not an https address/);
  await stranger.close();
});
