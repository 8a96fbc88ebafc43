import { afterAll, beforeAll, expect, test } from 'vitest';
import { startIcsEmulator, type IcsEmulator } from '#emulators/ics/index';
import { startGoogleEmulator, type GoogleEmulator } from '#emulators/google/index';
import { buildGoogleSettings, linkGoogle } from '../../../tests/support/google.ts';
import { connectMcp } from '../../../tests/support/mcp-client.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let google: GoogleEmulator;
let ics: IcsEmulator;
beforeAll(async () => {
  ics = await startIcsEmulator();
  google = await startGoogleEmulator();
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  const settings = buildGoogleSettings(google);
  const allowed = `${settings['THALAMUS_EGRESS_ALLOW']},${ics.url}`;
  server = await startTestServer({ ...settings, THALAMUS_EGRESS_ALLOW: allowed });
});
afterAll(async () => {
  await server.close();
  await google.close();
  await ics.close();
});

/** The sources that a tool's published schema lists. */
async function listPublishedSources(tool: string): Promise<unknown> {
  const client = await connectMcp(`${server.url}/mcp`, server.key);
  const { tools } = await client.listTools();
  await client.close();
  const source = tools.find(({ name }) => name === tool)?.inputSchema.properties?.['source'];
  return (source as { enum?: string[] }).enum ?? [];
}

test('a read-only linked source is offered for reading and not for acting', async () => {
  const { browser } = await linkGoogle(server, google, { sources: ['gmail'], access: 'read' });
  expect(await listPublishedSources('fetch_from_integration')).toEqual(['gmail']);
  expect(await listPublishedSources('act_on_integration')).toEqual([]);
  await linkGoogle(server, google, { sources: ['calendar'], browser });
  expect(await listPublishedSources('fetch_from_integration')).toEqual(['gmail', 'calendar']);
  expect(await listPublishedSources('act_on_integration')).toEqual(['calendar']);
});

test('a source that cannot act is not offered for acting', async () => {
  const calendar = ics.addFeed('Holidays');
  await server.ok('connect_with_token', { provider: 'ics', token: calendar.url });
  expect(await listPublishedSources('fetch_from_integration')).toContain('ics');
  expect(await listPublishedSources('act_on_integration')).toEqual(['calendar']);
});

test('every source that syncs says how far back it reads and what it does not read', async () => {
  const { integrations } = await server.ok('list_integrations');
  const listed = integrations as { name: string; goes_back: string | null; not_read: string[] }[];
  const silent = listed.filter(({ goes_back, not_read }) => !goes_back || not_read.length === 0);
  expect(silent.map(({ name }) => name)).toEqual(['telegram']);
});
