import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GoogleEmulator } from '../../../tests/emulators/google/index.ts';
import { linkGoogle, startServerWithGoogle } from '../../../tests/support/google.ts';
import { startHttpRecorder, type HttpRecorder } from '../../../tests/support/http-recorder.ts';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import type { TestServer } from '../../../tests/support/server.ts';

const value = 'key+of/the=service-5e8c';
let server: TestServer;
let google: GoogleEmulator;
let outside: HttpRecorder;
let close: () => Promise<void>;

beforeAll(async () => {
  outside = await startHttpRecorder();
  ({ server, google, close } = await startServerWithGoogle({ THALAMUS_EGRESS_ALLOW: outside.url }));
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
});
afterAll(async () => {
  await close();
  await outside.close();
});
beforeEach(() => {
  outside.requests.length = 0;
  outside.answer = 'echo';
  google.ledger.clear();
});

const searching = (over: object = {}, integration: object = {}) => ({
  name: 'search_notes',
  integration: { name: 'Notes', domain: '127.0.0.1', ...integration },
  endpoint: {
    method: 'GET',
    url: `${outside.url}/notes/{{kind}}`,
    queryParams: { q: '{{query}}' },
    headers: { authorization: 'Bearer {{secrets.NOTES_KEY}}' },
    ...over,
  },
  mockData: [{ notes: ['made up'] }],
});
const given = { kind: 'a/b', query: 'gears & oil' };
const attempt = (tool: object, input: object = given, more: object = {}) =>
  server.call('try_http_tool', { tool, input, ...more });

test('while a secret is missing one of the mock answers stands in, and nothing is sent', async () => {
  const { body } = await attempt(searching());
  expect(body).toMatchObject({ kind: 'mock', status: null, data: { notes: ['made up'] } });
  expect(body['reason']).toContain('NOTES_KEY is not set');
  expect(body['request']).toMatchObject({ headers: { authorization: 'Bearer {{secrets.NOTES_KEY}}' } });
  expect(outside.requests).toEqual([]);
  const without = await attempt({ ...searching(), mockData: [] });
  expect(without).toMatchObject({ status: 409, body: { detail: expect.stringContaining('NOTES_KEY') } });
});

test('with its secret it is called, each value in its place, and the secret is seen by nobody', async () => {
  const hosts = [new URL(outside.url).host];
  await server.ok('set_variable', { var_scope: 'org', var_name: 'NOTES_KEY', value, hosts });
  const { body } = await attempt(searching());
  expect(outside.requests).toMatchObject([
    { url: '/notes/a%2Fb?q=gears+%26+oil', headers: { authorization: `Bearer ${value}` } },
  ]);
  expect(body).toMatchObject({ kind: 'live', status: 200, reason: null, data: { method: 'GET' } });
  expect(JSON.stringify(body)).not.toContain('5e8c');
  const database = await openAsOwner(server.connectionString);
  const [row] = await database.rows(`select subject from audit_log where operation = 'try_http_tool' order by at desc`);
  await database.close();
  expect(row?.['subject']).toMatchObject({ credentials: [{ name: 'NOTES_KEY', link: 'workspace' }] });
});

test('what may change something is shown and not sent', async () => {
  const { body } = await attempt(searching({ method: 'POST', body: { text: '{{query}}', at: '{{when}}' } }), {
    ...given,
    when: 7,
  });
  expect(body).toMatchObject({ kind: 'preview', request: { method: 'POST', body: '{"text":"gears & oil","at":7}' } });
  expect(JSON.stringify(body)).toMatch(/Bearer sec_/);
  expect(outside.requests).toEqual([]);
});

test('what the service refuses comes back as diagnostics that name who can repair it, without the secret', async () => {
  outside.answer = { status: 404, headers: { 'content-type': 'application/json' }, body: `{"error":"no ${value}"}` };
  const { status, body } = await attempt(searching());
  expect(status).toBe(502);
  expect(body).toMatchObject({
    details: { diagnostics: { status: 404, errorCategory: 'not_found', retryable: false, builderCanRepair: true } },
  });
  expect(JSON.stringify(body)).not.toContain('5e8c');
});

test.for([
  ['input that no placeholder takes', { url: 'https://127.0.0.1/all', queryParams: {} }, {}, /no placeholder/],
  ['a host outside its domain', { url: 'https://example.com/{{query}}' }, {}, /must be at 127.0.0.1/],
  ['a placeholder in the host', { url: 'https://{{kind}}.example.com/' }, {}, /host has no placeholder/],
  ['a value that would leave the path', {}, { kind: '..' }, /kind must not be/],
] as const)('%s is refused before anything is sent', async ([, over, input, message]) => {
  const { status, body } = await attempt(searching(over), { ...given, ...input });
  expect(status).toBe(422);
  expect(body['detail']).toMatch(message);
  expect(outside.requests).toEqual([]);
});

const auth = {
  type: 'oauth2',
  providerKey: 'google',
  authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  scopes: ['https://www.googleapis.com/auth/gmail.readonly'],
};
const mails = (over: object = {}, endpoint: object = {}) => ({
  name: 'gmail_search',
  integration: { name: 'Gmail', domain: 'googleapis.com', auth: { ...auth, ...over } },
  endpoint: {
    method: 'GET',
    url: 'https://gmail.googleapis.com/gmail/v1/users/me/messages',
    queryParams: { q: '{{query}}', maxResults: '10' },
    ...endpoint,
  },
  mockData: [{ messages: [] }],
});

test('a tool of an account has mock answers until it is linked, and then the account’s own', async () => {
  const missing = await attempt(mails(), { query: 'gears' });
  expect(missing.body).toMatchObject({ kind: 'mock', data: { messages: [] } });
  expect(missing.body['reason']).toContain('/integrations/google');
  await linkGoogle(server, google, { sources: ['gmail'] });
  const mail = google.seedMail('ada@example.com', { from: 'kim@example.com', subject: 'Gears', text: 'Oil.' });
  const { body } = await attempt(mails(), { query: 'gears' });
  expect(body).toMatchObject({ kind: 'live', data: { messages: [{ id: mail.id }] } });
  expect(JSON.stringify(body)).not.toMatch(/ya29|Bearer/);
  const wider = { scopes: ['https://www.googleapis.com/auth/contacts'] };
  expect((await attempt(mails(wider), { query: 'gears' })).body).toMatchObject({ kind: 'mock' });
});

test('a tool of a provider that is not set up here has mock answers, and says so', async () => {
  const { body } = await attempt(mails({ providerKey: 'nobody' }), { query: 'gears' });
  expect(body).toMatchObject({ kind: 'mock', data: { messages: [] } });
  expect(body['reason']).toContain('nobody is not set up here');
});

test.for([
  ['another token address', { tokenUrl: 'https://tokens.example.com/token' }, {}, /google is linked with/],
  ['other words for its consent', { authorizationParams: { prompt: 'none' } }, {}, /google is linked with .*offline/],
  ['words at the token address', { tokenParams: { audience: 'all' } }, {}, /google is linked with \{\}/],
  ['a header of its own', {}, { headers: { Authorization: 'Bearer {{query}}' } }, /must not have an Authorization/],
  ['the token as a placeholder', {}, { queryParams: { t: '{{access_token}}' } }, /must not ask for the token/],
] as const)('a tool of an account with %s is refused', async ([, over, endpoint, message]) => {
  const { status, body } = await attempt(mails(over, endpoint), { query: 'gears' });
  expect(status).toBe(422);
  expect(JSON.stringify(body)).toMatch(message);
  expect(google.ledger.all()).toEqual([]);
});

test('an account’s token goes to its own provider, whatever domain a tool says', async () => {
  const tool = { ...mails({}, { url: 'https://gmail.example.com/{{query}}', queryParams: {} }) };
  tool.integration.domain = 'example.com';
  const { status, body } = await attempt(tool, { query: 'gears' });
  expect(status).toBe(422);
  expect(body['detail']).toContain('googleapis.com alone');
});

test.for(['full', 'raw'])(
  'a mailed sign-in link cannot be read from a mail as its provider gives it, in the form %s',
  async (format) => {
    const link = String((await server.ok('create_sign_in_link'))['url']);
    const token = new URL(link).hash.slice(1);
    const mail = { from: 'thalamus@example.com', subject: `In ${token}`, text: `Grüße.\nSign in: ${link}` };
    const { id } = google.seedMail('ada@example.com', mail);
    const url = `https://gmail.googleapis.com/gmail/v1/users/me/messages/${id}`;
    const tool = mails({}, { url, queryParams: { format: '{{format}}' } });
    const { body } = await attempt(tool, { format });
    expect(body).toMatchObject({ kind: 'live', status: 200 });
    const decoded = (text: string) => Buffer.from(text, 'base64').toString();
    const answer = JSON.stringify(body);
    const once = (answer.match(/[\w+/-]{40,}/g) ?? []).map(decoded).join('\n').replaceAll('=\r\n', '');
    const twice = (once.match(/(?:[\w+/-]{40,}\s*)+\S*/g) ?? []).map(decoded).join('\n');
    expect(`${once}${twice}`).toContain('Sign in: ');
    expect(`${once}${twice}`).toContain('tl_...');
    for (const text of [answer, once, twice]) expect(text).not.toContain(token);
  },
);
