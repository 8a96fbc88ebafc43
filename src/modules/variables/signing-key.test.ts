import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

const strong = 'a-key-of-sixteen-bytes-or-more';
let server: TestServer;
let database: OwnerDatabase;
let agent: { id: string; key: string };

beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
  const made = await server.ok('create_key', { label: 'Bot' });
  agent = { id: String(made['key_id']), key: String(made['key']) };
});
afterAll(async () => {
  await database.close();
  await server.close();
});

let saved = 0;
async function sign(name: string) {
  const { automation_id } = await server.ok('save_automation_draft', {
    name: `Sign ${(saved += 1)}`,
    description: 'Signs.',
    intent: 'Sign.',
    source: `try { return await env.helpers.hmacSha256Hex("text", env.${name}) } catch (error) { return error.message }`,
    tool_grants: [{ tool: 'add_memory' }],
    triggers: [{ kind: 'manual' }],
  });
  const { run_id } = await server.ok('run_automation_once', { automation_id });
  return (await server.ok('get_automation_run', { run_id })).result;
}
const set = (var_name: string, value: string, more: Record<string, unknown> = {}, key = server.key) =>
  server.call('set_variable', { var_scope: 'person', var_name, value, ...more }, { key });
const findPlacements = async (name: string) =>
  (await server.ok('list_variables')).variables.find((each) => each.name === name)?.placements;

describe('code signs', () => {
  test('with a value of a person that has the placement hmac', async () => {
    await set('STRONG', strong);
    expect(await findPlacements('STRONG')).toEqual(['header', 'hmac']);
    expect(await sign('STRONG')).toBe(createHmac('sha256', strong).update('text').digest('hex'));
  });

  test.for([
    ['PIN', '493817', {}],
    ['LONG_PIN', '49381700000000000000', {}],
    ['HEADER_ONLY', strong, { placements: ['header'] }],
  ] as const)('with no value that lacks it, such as %s', async ([name, value, more]) => {
    await set(name, value, more);
    expect(await findPlacements(name)).not.toContain('hmac');
    expect(await sign(name)).toMatch(
      /is not a signing key: code signs only with a variable that has the placement hmac/,
    );
  });

  test('with no value that its person replaced by a short one', async () => {
    await set('REPLACED', strong);
    await set('REPLACED', '493817');
    expect(await findPlacements('REPLACED')).toEqual(['header']);
    expect(await sign('REPLACED')).toMatch(/is not a signing key/);
  });

  test('with no short value, although its row allows it', async () => {
    await set('TOLD', '4938170000000000000');
    await database.rows(`update variables set placements = array['header', 'hmac'] where name = 'TOLD'`);
    expect(await sign('TOLD')).toMatch(/is not a signing key/);
  });
});

describe('the placement hmac', () => {
  test.for([['493817'], ['49381700000000000000']])('is refused for %s', async ([value = '']) => {
    expect((await set('REFUSED', value, { placements: ['hmac'] })).body['code']).toBe('invalid_input');
    await set('SHORT', value);
    const change = { var_scope: 'person', var_name: 'SHORT', placements: ['header', 'hmac'] };
    expect((await server.call('update_variable', change)).body['code']).toBe('invalid_input');
  });

  test('is never on a value of an agent', async () => {
    const own = { var_scope: 'agent', scope_id: agent.id };
    const asked = await set('OWN', strong, { ...own, placements: ['hmac'] }, agent.key);
    expect(asked.body).toMatchObject({
      code: 'invalid_input',
      detail: expect.stringContaining('only values that people set'),
    });
    await set('OWN', strong, own);
    expect(await findPlacements('OWN')).toEqual(['header', 'hmac']);
    await set('OWN', `${strong}-of-agent`, own, agent.key);
    expect(await findPlacements('OWN')).toEqual(['header']);
    const change = { ...own, var_name: 'OWN', placements: ['hmac'] };
    expect((await server.call('update_variable', change)).body['code']).toBe('invalid_input');
  });
});

test('an agent makes no connector whose secret can be guessed', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Guess' });
  await set('DOOR_PIN', '493817');
  const scopes = ((await server.ok('create_key', { label: 'Plain' }))['scopes'] as string[]).concat('connectors:write');
  const { key } = await server.ok('create_key', { label: 'Connecting', scopes });
  const input = { name: 'Guess', brain_id, signature_scheme: 'hmac_sha256', webhook_secret_variable: 'DOOR_PIN' };
  const refused = await server.call('create_webhook_connector', input, { key });
  expect(refused.body).toMatchObject({ code: 'invalid_input', detail: expect.stringContaining('too short') });
});
