import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startHttpRecorder, type HttpRecorder } from '../../../tests/support/http-recorder.ts';
import { connectMcp } from '../../../tests/support/mcp-client.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let outside: HttpRecorder;
let host: string;
beforeAll(async () => {
  outside = await startHttpRecorder();
  server = await startTestServer({ THALAMUS_EGRESS_ALLOW: outside.url });
  host = new URL(outside.url).host;
});
afterAll(async () => {
  await server.close();
  await outside.close();
});
beforeEach(() => void outside.requests.splice(0));

let number = 0;
const createName = () => `K${(number += 1)}`;
const setVariable = (value: string, more: object = {}) =>
  server.call('set_variable', { var_scope: 'person', var_name: createName(), value, hosts: [host], ...more });
const sendWith = async (handle: unknown) => {
  await server.ok('http_fetch', { url: outside.url, headers: { authorization: `Bearer ${String(handle)}` } });
  return outside.requests.at(-1)?.headers.authorization;
};

describe('white space at the ends of a secret is removed, and the answer says so', () => {
  test('by REST and MCP', async () => {
    const { body } = await setVariable(' sk_live_1\r\n');
    expect(body['notice']).toContain('White space');
    expect(await sendWith(body['handle'])).toBe('Bearer sk_live_1');
    const client = await connectMcp(`${server.url}/mcp?toolsets=all`, server.key);
    const given = { var_scope: 'person', var_name: createName(), value: 'sk_live_2\n', hosts: [host] };
    const answer = await client.callTool({ name: 'set_variable', arguments: given });
    await client.close();
    const { handle, notice } = answer.structuredContent as { handle: string; notice: string };
    expect([notice, await sendWith(handle)]).toEqual([expect.stringContaining('White space'), 'Bearer sk_live_2']);
  });

  test('in a secret of automations and in a permission set', async () => {
    const secret = await server.ok('automation_secret_set', { name: 'night', value: 'sk_3\n', hosts: [host] });
    expect(secret.notice).toBe('White space at its ends was removed.');
    const variables = [{ name: 'INNER', value: 'sk_4\t', hosts: [host] }];
    const set = await server.ok('create_permission_set', { name: 'Nightly', variables });
    expect(set.notice).toBe('INNER: White space at its ends was removed.');
  });

  test('on the page of a link', async () => {
    const { url } = await server.ok('create_variable_link', { var_scope: 'person', var_name: 'PASTED', hosts: [host] });
    const page = new URL(String(url)).pathname;
    const submit = (value: string) =>
      server.request(page, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
        body: new URLSearchParams({ 'value:PASTED': value, 'hosts:PASTED': host }),
      });
    const refused = await (await submit('sk\u2013pasted')).text();
    expect(refused).toContain('an en dash (U+2013)');
    expect(refused).not.toContain('sk\u2013pasted');
    expect(await (await submit('sk_pasted\n')).text()).toContain('White space at its ends was removed.');
    const { variables } = await server.ok('list_variables', { var_scope: 'person' });
    expect(await sendWith(variables.find(({ name }) => name === 'PASTED')?.handle)).toBe('Bearer sk_pasted');
  });
});

test.each([
  ['an en dash', 'sk\u2013live', 'character 3 is an en dash'],
  ['a byte order mark', '\ufeffsk_live', 'character 1 is a byte order mark'],
  ['curly quotes', '\u201csk_live\u201d', 'character 1 is a curly quotation mark'],
  ['a line break within', 'sk_live\n_b', 'character 8 is a line break'],
  ['a placeholder', '{{NAME}}', 'placeholder'],
])('a variable with %s is refused with the place, and without the value', async (_what, value, message) => {
  const { status, body } = await setVariable(value);
  expect([status, body['code']]).toEqual([422, 'invalid_input']);
  expect(body['detail']).toContain(message);
  expect(JSON.stringify(body)).not.toContain(value);
});

test('a private key keeps its lines where it may not stand in a header', async () => {
  const value = '-----BEGIN PRIVATE KEY-----\nMIIEvQ==\n-----END PRIVATE KEY-----\n';
  expect((await setVariable(value)).status).toBe(422);
  expect((await setVariable(value, { placements: ['json:key'] })).status).toBe(200);
});

test('a secret with only a name and a value says that it can be sent nowhere yet, and what to do', async () => {
  const set = await server.ok('automation_secret_set', { name: 'harbour', value: 'sk_harbour_1' });
  expect(set).toMatchObject({
    hosts: [],
    notice: expect.stringMatching(/cannot be sent anywhere yet.*update_variable/),
  });
  const { secrets } = await server.ok('automation_secret_list');
  expect(secrets.find(({ name }) => name === 'harbour')).toMatchObject({ hosts: [] });
  const again = await server.ok('automation_secret_set', { name: 'harbour', value: 'sk_harbour_2', hosts: [host] });
  expect(again).toMatchObject({ hosts: [host] });
  expect(again).not.toHaveProperty('notice');
});

describe('the secret of a webhook', () => {
  const key = Buffer.from('for the test only, 1234567 bytes');
  const base64 = key.toString('base64');
  const connect = async (webhook_secret: string, more: object = { signature_scheme: 'standard_webhooks' }) => {
    const { brain_id } = await server.ok('create_brain', { name: `Hooks ${createName()}` });
    return server.call('create_webhook_connector', { name: createName(), brain_id, webhook_secret, ...more });
  };
  const deliver = async (url: unknown, secret: Buffer) => {
    const [id, time, body] = [`msg_${createName()}`, String(Math.floor(Date.now() / 1000)), '{"id":1}'];
    const signature = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest('base64');
    const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
    return (await server.request(new URL(String(url)).pathname, { method: 'POST', headers, body })).status;
  };

  test.each([
    ['v1,whsec_ before it', `v1,whsec_${base64}`, key],
    ['v1,whsec_ before it and a line break', `v1,whsec_${base64}\n`, key],
    ['quotation marks around it', `"whsec_${base64}"`, key],
    ['nothing before it', base64, key],
    ['base64url', `whsec_${Buffer.alloc(33, 0xfb).toString('base64url')}`, Buffer.alloc(33, 0xfb)],
  ])('is accepted with %s, and signatures verify', async (_what, pasted, secret) => {
    const { status, body } = await connect(pasted);
    expect([status, body['detail']]).toEqual([200, undefined]);
    expect(await deliver(body['ingest_url'], secret)).toBe(202);
  });

  test('is refused with its odd character, and without the secret', async () => {
    const { status, body } = await connect('tide\u2013gauge', { signature_scheme: 'hmac_sha256' });
    expect([status, body['detail']]).toEqual([
      422,
      expect.stringContaining('webhook_secret: character 5 is an en dash'),
    ]);
    expect((await connect('  short  ', { signature_scheme: 'hmac_sha256' })).body['detail']).toContain('8 characters');
  });
});

describe('a name in double braces without a value', () => {
  test.each([
    ['an address', { url: 'URL/{{NAME}}' }, 'url: {{NAME}} has no value here'],
    [
      'a header',
      { url: 'URL', headers: { 'x-key': 'Bearer {{ my_key }}' } },
      'headers.x-key: {{my_key}} has no value here',
    ],
  ])('is refused in %s of a request', async (_what, asked, message) => {
    const { status, body } = await server.call('http_fetch', { ...asked, url: asked.url.replace('URL', outside.url) });
    expect([status, body['detail']]).toEqual([422, expect.stringContaining(message)]);
    expect(outside.requests).toEqual([]);
  });

  test('is refused in the headers of a destination, as is a character that headers cannot carry', async () => {
    const of = { name: 'Out', output_destination_kind: 'webhook', output_destination_url: `${outside.url}/in` };
    const saved = (headers: object) => server.call('register_output_destination', { ...of, headers });
    expect((await saved({ 'x-key': '{{KEY}}' })).body['detail']).toContain('{{KEY}}');
    expect((await saved({ 'x-key': 'sk\u2013live' })).body['detail']).toContain('character 3 is an en dash');
  });

  test('is shown in the body of a draft', async () => {
    const asked = { url: `${outside.url}/notes`, method: 'POST', body: '{"text":"{{NAME}}"}' };
    const { preview } = await server.ok('http_fetch', asked);
    expect(JSON.stringify(preview)).toContain('{{NAME}} in the body has no value');
  });

  test('is reported when a translator is saved', async () => {
    const { brain_id } = await server.ok('create_brain', { name: `Hooks ${createName()}` });
    const translator_code = "function translate() { return { documents: [{ content: '{{KEY}}' }] }; }";
    const given = { name: createName(), brain_id, signature_scheme: 'none', translator_code };
    const { notice } = await server.ok('create_webhook_connector', given);
    expect(notice).toContain('The translator contains {{KEY}}');
  });

  test('is reported when the source of an automation is saved', async () => {
    await server.ok('automation_secret_set', { name: 'known', value: 'sk_known_1', hosts: [host] });
    const given = { triggers: [{ kind: 'manual' }], tool_grants: [{ tool: 'add_memory' }] };
    const source = "return ['{{known}}', '{{unknown}}', '{{KNOWN}}']";
    const saved = await server.ok('save_automation_draft', { ...given, name: 'Braces', source });
    expect(saved.notice).toMatch(/The source has \{\{unknown\}\}, \{\{KNOWN\}\}, and no secret/);
    const { automation_id } = saved;
    expect(await server.ok('update_automation', { automation_id, source })).toMatchObject({ notice: saved.notice });
    const changed = await server.ok('update_automation', { automation_id, source: "return '{{known}}'" });
    expect(changed).not.toHaveProperty('notice');
  });
});

test('a token of an account is accepted without white space, and refused with its odd character', async () => {
  const linked = (token: string) => server.call('connect_with_token', { provider: 'github', token });
  expect((await linked('ghp_abc\u2013def')).body['detail']).toContain('token: character 8 is an en dash');
  expect((await linked('ghp_abc def')).body['detail']).toContain('token: character 8 is a space');
});
