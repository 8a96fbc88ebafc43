import type { CanaryStage } from '../stage.ts';

/** HTTP tools as an app's builder tries them: with a secret in every place, wrongly, and against who tells all back. */
export async function tools(stage: CanaryStage): Promise<void> {
  const { call, plant, outside } = stage;
  const { host, hostname: domain } = new URL(outside.url);
  const given = { var_scope: 'org', hosts: [host], placements: ['header', 'query', 'path', 'json'] };
  await call('set_variable', { ...given, var_name: 'TOOL_KEY', value: plant('the secret of a tool') });
  const tool = (endpoint: object) => ({
    name: 'canary_tool',
    integration: { name: 'Canary', domain },
    endpoint: { method: 'GET', url: `${outside.url}/things`, queryParams: { q: '{{query}}' }, ...endpoint },
    mockData: [{ things: [] }],
  });
  for (const endpoint of [
    { headers: { authorization: 'Bearer {{secrets.TOOL_KEY}}' } },
    { queryParams: { q: '{{query}}', key: '{{secrets.TOOL_KEY}}' } },
    { url: `${outside.url}/things/{{secrets.TOOL_KEY}}` },
    { method: 'POST', body: { q: '{{query}}', key: '{{secrets.TOOL_KEY}}' } },
    { headers: { authorization: 'Bearer {{secrets.NOT_SET}}' } },
  ]) {
    await call('try_http_tool', { tool: tool(endpoint), input: { query: 'gears' } });
    await stage.mcp.callTool({ name: 'try_http_tool', arguments: { tool: tool(endpoint), input: { query: 'cogs' } } });
  }
  if (
    !outside.requests.some(({ url, headers }) => url.startsWith('/things') && /canary-/.test(JSON.stringify(headers)))
  )
    throw new Error('the secret of the tool did not reach the service');
  await call('delete_variable', { var_scope: 'org', var_name: 'TOOL_KEY' });
}
