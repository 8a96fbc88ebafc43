// Services that put secrets into their answers, or use one name for two accounts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, type Browser } from '../../../tests/support/google.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { startSmallService, type SmallService } from '../../../tests/support/small-service.ts';
import { findFirstPage, runSync, startSync, listPageTitles } from '../../../tests/support/syncs.ts';

const key = 'key_Lantern7Harbour42Saffron';

const club = { name: 'Club', event: 'Regatta in rain' };

let service: SmallService;
let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  service = await startSmallService(({ path, headers }) => {
    const project = new URL(path, 'http://x').searchParams.get('project');
    if (project) return { body: [{ id: 1, title: `First of ${project}` }] };
    if (path === '/lost') return { body: { items: [{ id: 1, title: 'Last' }], next: 'http://[' } };
    if (path === '/club.ics') return { body: buildCalendarFile() };
    const sent = String(headers['authorization']);
    const coded = Buffer.from(sent).toString('base64');
    return { body: [{ id: 1, title: 'Echo', body: `You sent ${sent}, which is ${coded}.` }] };
  });
  server = await startTestServer({ THALAMUS_EGRESS_ALLOW: service.url });
  browser = await signIn(server);
});
afterAll(async () => {
  await server.close();
  await service.close();
});

async function link(path: string, token = ''): Promise<string> {
  const linked = await browser.ok('connect_with_token', { provider: 'http_json', url: service.url + path, token });
  return String(linked['connection_id']);
}

test('a key that a service repeats in its answer is in no page', async () => {
  const account = await link('/echo', key);
  const { page_slugs } = await server.ok('fetch_from_integration', { source: 'http_json', account, input: {} });
  const page = await server.ok('get_page', { slug: (page_slugs as string[])[0] });
  expect(page['body']).toMatch(/^You sent Bearer \[redacted\], which is /);
  const coded = [0, 1, 2].map((at) =>
    Buffer.from(`${' '.repeat(at)}${key}`)
      .toString('base64')
      .slice(4, 30),
  );
  for (const form of [key, ...coded]) expect(JSON.stringify(page)).not.toContain(form);
});

test('a next page without an address is reported as an error of the service', async () => {
  const account = await link('/lost');
  const { status, body } = await server.call('fetch_from_integration', { source: 'http_json', account, input: {} });
  expect({ status, note: body['note'] }).toMatchObject({ status: 200, note: expect.stringContaining('next page') });
});

test('two accounts of one name keep separate pages in one brain', async () => {
  const [red, blue] = [await link('/items?project=red'), await link('/items?project=blue')];
  const first = await startSync(server, { source: 'http_json', account: red });
  await server.ok('fetch_from_integration', {
    source: 'http_json',
    account: blue,
    input: {},
    brain_id: first.brain_id,
  });
  await runSync(server, first);
  expect(await listPageTitles(server, first)).toEqual(['First of blue', 'First of red']);
});

test('an account that was renamed at its provider keeps its pages', async () => {
  const account = String(
    (await browser.ok('connect_with_token', { provider: 'ics', token: `${service.url}/club.ics` }))['connection_id'],
  );
  const sync = await startSync(server, { source: 'ics', account });
  expect(await listPageTitles(server, sync)).toEqual(['Regatta in rain']);
  const before = await findFirstPage(server, sync, 'regatta');
  [club.name, club.event] = ['Sailing', 'Regatta in sun'];
  expect(await server.ok('test_connection', { connection_id: account })).toMatchObject({ ok: true });
  const { connections } = await server.ok('list_connections', { provider: 'ics' });
  expect(connections).toMatchObject([{ account: expect.stringContaining('Sailing') }]);
  await runSync(server, sync);
  expect(await listPageTitles(server, sync)).toEqual(['Regatta in sun']);
  expect(await findFirstPage(server, sync, 'regatta')).toMatchObject({ id: before?.['id'], title: 'Regatta in sun' });
  const { integrations } = await server.ok('list_integrations');
  const [linked] = (integrations as { name: string; accounts: object[] }[]).find(
    ({ name }) => name === 'ics',
  )!.accounts;
  expect(linked).toMatchObject({
    account: expect.stringContaining('Sailing'),
    known_as: expect.stringContaining('Club'),
  });
});

function buildCalendarFile(): string {
  const start = new Date(Date.now() + 86_400_000).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', `X-WR-CALNAME:${club.name}`, 'BEGIN:VEVENT', 'UID:one'];
  return [...lines, `DTSTART:${start}`, `SUMMARY:${club.event}`, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
}
