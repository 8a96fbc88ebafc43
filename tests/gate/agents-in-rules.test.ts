// A rule for agents applies to every kind of agent: a key, a connected client, and the runs that either starts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addConnectedClient, issueClientToken } from '../support/connected-client.ts';
import { signIn, type Browser } from '../support/google.ts';
import { startHttpRecorder, type HttpRecorder } from '../support/http-recorder.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let outside: HttpRecorder;
let owner: Browser;
beforeAll(async () => {
  outside = await startHttpRecorder();
  server = await startTestServer({ THALAMUS_EGRESS_ALLOW: outside.url });
  owner = await signIn(server);
});
afterAll(async () => {
  await server.close();
  await outside.close();
});

const setRules = async (rules: object[]) => {
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules });
};

async function runAs(key: string): Promise<unknown> {
  const { automation_id } = await server.ok('save_automation_draft', {
    name: `Reads ${Math.random()}`,
    source: `const answer = await fetch('${outside.url}/x').catch((error) => error); return answer.status ?? answer.code;`,
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'http_fetch' }],
    acknowledged_http_fetch_hosts: ['127.0.0.1'],
  });
  const { run_id } = await server.ok('run_automation_once', { automation_id, dry_run: false }, { key });
  return (await server.ok('get_automation_run', { run_id })).result;
}

test.for(['agents', 'key'])(
  'a rule that blocks %s stops a key, a client and their runs, and no person',
  async (callers) => {
    const access_token = await issueClientToken(server, await addConnectedClient(server, 'A client'));
    const read = { url: `${outside.url}/x` };
    await setRules([{ effect: 'block', sources: ['http'], callers: [callers] }]);
    for (const key of [server.key, access_token]) {
      expect((await server.call('http_fetch', read, { key })).body).toMatchObject({ code: 'forbidden' });
      expect(await runAs(key)).toBe('forbidden');
    }
    expect(await owner.ok('http_fetch', read)).toMatchObject({ status: 200 });
    expect(outside.requests).toHaveLength(1);
    outside.requests.splice(0);
  },
);

test('a rule about connected clients stops the run that a client starts, and not the run of a key', async () => {
  const access_token = await issueClientToken(server, await addConnectedClient(server, 'A client'));
  await setRules([{ effect: 'block', sources: ['http'], callers: ['oauth'] }]);
  expect(await runAs(access_token)).toBe('forbidden');
  expect(await runAs(server.key)).toBe(200);
  outside.requests.splice(0);
});
