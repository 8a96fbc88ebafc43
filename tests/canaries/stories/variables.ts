import type { CanaryStage } from '../stage.ts';

type Row = { name: string; handle: string };

/** Variables of every tier: set, set again, listed, used rightly and wrongly, deleted. */
export async function runVariablesStory(stage: CanaryStage): Promise<void> {
  const { call, plant, outside, server } = stage;
  const host = new URL(outside.url).host;
  const { brain_id } = await call('create_brain', { name: 'Canaries' });
  const agent = await call('create_key', { label: 'Agent', home_brain_id: brain_id });
  stage.found('a key', String(agent['key']), true);
  const first = { name: 'FIRST', value: plant('a value a set begins with'), hosts: [host] };
  const { permission_set_id } = await call('create_permission_set', { name: 'Canaries', variables: [first] });
  await call('assign_permission_set', { permission_set_id, caller: agent['key_id'] });
  const tiers: [string, unknown][] = [
    ['org', undefined],
    ['brain', brain_id],
    ['agent', agent['key_id']],
    ['permission_set', permission_set_id],
    ['person', undefined],
  ];
  const placements = ['header', 'query', 'path', 'form', 'json'];
  for (const [var_scope, scope_id] of tiers) {
    const given = { var_scope, scope_id, var_name: `OF_${var_scope}`, placements, hosts: [host] };
    await call('set_variable', { ...given, value: plant(`a former value of ${var_scope}`, 'any') });
    await call('set_variable', { ...given, value: plant(`a value of ${var_scope}`), description: 'A canary' });
    await stage.mcp.callTool({ name: 'list_variables', arguments: { var_scope } });
  }
  const { variables: listed } = await call('list_variables', {}, String(agent['key']));
  for (const { handle } of listed as Row[]) await use(stage, handle, String(agent['key']));
  const sent = outside.requests.filter((request) => JSON.stringify(request).includes('canary-'));
  if (sent.length < 5) throw new Error('handles were not resolved');
  await call('load_brain', { brain_id }, String(agent['key']));
  await call('export_brain', { brain_id });
  await call('set_variable', { var_scope: 'org', var_name: 'BAD NAME', value: plant('a value that is refused') });
  await call('set_variable', {
    var_scope: 'org',
    value: plant('a value without a name'),
    colour: plant('a stray field'),
  });
  const secret = { name: 'canary_secret', value: plant('a secret of automations', 'any') };
  await call('automation_secret_set', secret);
  await call('automation_secret_list');
  await call('automation_secret_delete', { name: 'canary_secret' });
  const managed = {
    action: 'set_variable',
    var_scope: 'org',
    var_name: 'MANAGED',
    value: plant('a value by MCP', 'any'),
  };
  const answer = await stage.mcp.callTool({ name: 'manage', arguments: managed });
  if (JSON.stringify(answer).includes('canary-')) throw new Error('a value came back by MCP');
  await call('delete_variable', { var_scope: 'org', var_name: 'OF_org' });
  await call('delete_permission_set', { permission_set_id });
  const headers = { 'idempotency-key': 'a canary' };
  const kept = { var_scope: 'person', var_name: 'KEPT', value: plant('a value of a repeated call') };
  for (let time = 0; time < 2; time += 1) await server.call('set_variable', kept, { headers });
}

/** Sends a handle in every allowed place and in some forbidden ones, to a server that echoes everything. */
async function use({ call, outside }: CanaryStage, handle: string, key: string): Promise<void> {
  const basic = Buffer.from(`user:${handle}`).toString('base64');
  const requests = [
    { url: outside.url, headers: { authorization: `Bearer ${handle}`, 'x-basic': `Basic ${basic}` } },
    { url: `${outside.url}/a/${handle}/b?key=${handle}` },
    { url: `${outside.url}/?key=${handle}`, headers: { authorization: `Basic ${basic}` } },
    { url: `https://elsewhere.example/?key=${handle}` },
    { url: `${outside.url}/?${handle}=1` },
    { url: `${outside.url}/nobody`, headers: { 'x-note': `${handle}\u0100` } },
  ];
  for (const request of requests) await call('http_fetch', request, key);
}
