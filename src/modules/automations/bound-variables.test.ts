import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHttpRecorder, type HttpRecorder } from '../../../tests/support/http-recorder.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let outside: HttpRecorder;
let database: OwnerDatabase;
let hosts: string[];

beforeAll(async () => {
  outside = await startHttpRecorder();
  hosts = [new URL(outside.url).host];
  server = await startTestServer({ THALAMUS_EGRESS_ALLOW: outside.url });
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
  await outside.close();
});

const set = (var_scope: string, var_name: string, value: string) =>
  server.ok('set_variable', { var_scope, var_name, value, hosts });

async function activate(name: string, source: string): Promise<string> {
  const saved = await server.ok('save_automation_draft', {
    name,
    description: 'Reads.',
    intent: 'Read with a secret.',
    source,
    tool_grants: [{ tool: 'http_fetch' }],
    triggers: [{ kind: 'manual' }],
    acknowledged_http_fetch_hosts: [new URL(outside.url).hostname],
  });
  await server.ok('update_automation', { automation_id: saved.automation_id, state: 'active' });
  return String(saved.automation_id);
}
async function run(automation_id: string) {
  outside.requests.splice(0);
  const run = await server.ok('run_automation_once', { automation_id, dry_run: false });
  return { ...run, sent: outside.requests.map(({ headers }) => headers['x-token']) };
}
const buildReadingCode = (token: string) => `await fetch('${outside.url}/echo', { headers: { 'x-token': ${token} } });`;

describe('an activated automation', () => {
  test('uses the variable that a name meant at activation, even after a nearer variable of that name appears', async () => {
    await set('org', 'SHADOWED', 'of-the-workspace');
    const id = await activate('Shadowed', buildReadingCode('env.SHADOWED'));
    await set('person', 'SHADOWED', 'planted-later');
    expect(await run(id)).toMatchObject({ status: 'succeeded', sent: ['of-the-workspace'] });
    await server.ok('update_automation', { automation_id: id, state: 'active' });
    expect((await run(id)).sent).toEqual(['planted-later']);
  });

  test('uses the new value once its person replaces the value of the same variable', async () => {
    await set('person', 'RENEWED', 'first');
    const id = await activate('Renewed', buildReadingCode('env.RENEWED'));
    await set('person', 'RENEWED', 'second');
    expect((await run(id)).sent).toEqual(['second']);
  });

  test('stops with the name of the variable that was deleted, even when another one of that name was set', async () => {
    await set('person', 'DELETED', 'first');
    await set('org', 'DELETED', 'of-the-workspace');
    const id = await activate('Deleted', buildReadingCode('env.DELETED'));
    await server.ok('delete_variable', { var_scope: 'person', var_name: 'DELETED' });
    const stopped = await run(id);
    expect(stopped).toMatchObject({ status: 'failed', sent: [] });
    expect(stopped.error).toMatch(/activated with DELETED, and that was deleted\. Set it again .+ activate/);
    await set('person', 'DELETED', 'second');
    expect(await run(id)).toMatchObject({ status: 'failed', sent: [] });
    await server.ok('update_automation', { automation_id: id, state: 'active' });
    expect((await run(id)).sent).toEqual(['second']);
  });

  test('binds the secrets that its source names in double braces', async () => {
    await server.ok('automation_secret_set', { name: 'braced', value: 'mine', hosts });
    const id = await activate('Braced', buildReadingCode(`'{{braced}}'`));
    expect((await run(id)).sent).toEqual(['mine']);
    await server.ok('automation_secret_delete', { name: 'braced' });
    await server.ok('automation_secret_set', { name: 'braced', value: 'another', hosts });
    expect((await run(id)).error).toMatch(/activated with braced/);
  });
});

test('a version that nobody activated uses the current meaning of a name', async () => {
  await set('org', 'FREE', 'of-the-workspace');
  const id = await activate('Free', buildReadingCode('env.FREE'));
  await server.ok('update_automation', { automation_id: id, state: 'paused' });
  await server.ok('update_automation', { automation_id: id, source: `${buildReadingCode('env.FREE')} // again` });
  await set('person', 'FREE', 'nearer');
  expect((await run(id)).sent).toEqual(['nearer']);
});
