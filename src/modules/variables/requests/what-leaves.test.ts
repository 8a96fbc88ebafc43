// Checks apply to what is sent: the filled-in, canonical request, at every redirect.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startHttpRecorder, type HttpRecorder } from '../../../../tests/support/http-recorder.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

let server: TestServer;
let outside: HttpRecorder;
let other: HttpRecorder;

beforeAll(async () => {
  [outside, other] = await Promise.all([startHttpRecorder(), startHttpRecorder()]);
  const named = other.url.replace('127.0.0.1', 'localhost');
  server = await startTestServer({ THALAMUS_EGRESS_ALLOW: `${outside.url},${named}` });
});
afterAll(async () => {
  await server.close();
  await Promise.all([outside.close(), other.close()]);
});
beforeEach(async () => {
  outside.requests.splice(0);
  other.requests.splice(0);
  outside.answer = other.answer = {};
  await setRules([]);
});

const setRules = async (rules: object[]) => {
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules });
};
const createSegment = async (name: string, value: string, hosts: string[]) =>
  String(
    (
      await server.ok('set_variable', {
        var_scope: 'agent',
        var_name: name,
        value,
        placements: ['path', 'query'],
        hosts,
      })
    )['handle'],
  );
const fetchAt = async (url: string, more: object = {}) => (await server.call('http_fetch', { url, ...more })).body;

describe('a handle in the path', () => {
  test('cannot turn a read into a write: a GET request that writes waits as a draft', async () => {
    const handle = await createSegment('SEG', 'api', ['slack.com']);
    const url = `https://slack.com/${handle}/chat.postMessage?channel=C1&text=Hi`;
    expect(await fetchAt(url)).toMatchObject({ kind: 'draft', action: 'http_request' });
  });

  test('needs the scope for drafting, like the literal request', async () => {
    const { key } = await server.ok('create_key', {
      label: 'Reader',
      scopes: ['integrations:fetch', 'variables:write'],
    });
    const made = await server.ok(
      'set_variable',
      { var_scope: 'agent', var_name: 'S', value: 'api', placements: ['path'], hosts: ['slack.com'] },
      { key: String(key) },
    );
    for (const first of ['api', String(made['handle'])]) {
      const url = `https://slack.com/${first}/chat.postMessage`;
      const { body } = await server.call('http_fetch', { url }, { key: String(key) });
      expect(body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('actions:draft') });
    }
  });

  test('is judged by its value, in a draft and in a read', async () => {
    const host = new URL(outside.url).host;
    await setRules([
      { effect: 'block', sources: ['http'], target: `*${host}/transfer` },
      { effect: 'allow', sources: ['http'] },
    ]);
    const handle = await createSegment('WAY', 'transfer', [host]);
    for (const method of ['POST', 'GET'])
      expect(await fetchAt(`${outside.url}/${handle}`, { method })).toMatchObject({ code: 'forbidden' });
    expect(outside.requests).toEqual([]);
    const harmless = await createSegment('WAY', 'notes', [host]);
    expect(harmless).toBe(handle);
    expect(await fetchAt(`${outside.url}/${handle}`, { method: 'POST' })).toMatchObject({ kind: 'auto_executed' });
    expect(outside.requests).toMatchObject([{ method: 'POST', url: '/notes' }]);
  });
});

describe('a rule that blocks an address', () => {
  test.for(['/%74ransfer', '//transfer', '/a/../transfer', '/x/%2e%2e%2Ftransfer', '/%2574ransfer', '/transfer;v=1'])(
    'applies to %s beside a rule that allows everything',
    async (path) => {
      const { host } = new URL(outside.url);
      await setRules([
        { effect: 'block', sources: ['http'], target: `* ${host}/transfer` },
        { effect: 'allow', sources: ['http'] },
      ]);
      for (const method of ['POST', 'GET'])
        expect(await fetchAt(`${outside.url}${path}`, { method })).toMatchObject({ code: 'forbidden' });
      expect(outside.requests).toEqual([]);
    },
  );

  test('is not overridden by a rule that allows another reading of the path', async () => {
    const { host } = new URL(outside.url);
    await setRules([
      { effect: 'allow', sources: ['http'], target: `POST ${host}/open/*` },
      { effect: 'block', sources: ['http'] },
    ]);
    expect(await fetchAt(`${outside.url}/open/..%2Ftransfer`, { method: 'POST' })).toMatchObject({ code: 'forbidden' });
    expect(await fetchAt(`${outside.url}/open/notes`, { method: 'POST' })).toMatchObject({ kind: 'auto_executed' });
  });

  test.for(['localhost', 'localhost.', 'LOCALHOST.'])('applies to its host written as %s', async (name) => {
    await setRules([
      { effect: 'block', sources: ['http'], account: 'localhost' },
      { effect: 'allow', sources: ['http'] },
    ]);
    const url = other.url.replace('127.0.0.1', name);
    for (const method of ['POST', 'GET']) expect(await fetchAt(url, { method })).toMatchObject({ code: 'forbidden' });
    expect(other.requests).toEqual([]);
  });

  test('applies to a redirect from an allowed host', async () => {
    await setRules([
      { effect: 'block', sources: ['http'], account: 'localhost' },
      { effect: 'allow', sources: ['http'] },
    ]);
    outside.answer = { status: 302, headers: { location: `${other.url.replace('127.0.0.1', 'localhost')}/inside` } };
    expect(await fetchAt(`${outside.url}/leads`)).toMatchObject({ code: 'forbidden' });
    expect([outside.requests.length, other.requests.length]).toEqual([1, 0]);
    await setRules([]);
    expect(await fetchAt(`${outside.url}/leads`)).toMatchObject({ status: 200 });
    expect(other.requests).toHaveLength(1);
  });
});

test('a preview shows the address in the form in which it is sent', async () => {
  const drafted = await fetchAt(`${outside.url}/a/../%74ransfer`, { method: 'POST' });
  expect(drafted).toMatchObject({
    preview: { title: expect.stringMatching(/\/transfer$/) },
    payload: { url: `${outside.url}/transfer` },
  });
});
