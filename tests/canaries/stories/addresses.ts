import { waitForSync } from '../../support/syncs.ts';
import type { CanaryStage } from '../stage.ts';

/**
 * Integrations linked by an address or a token: tested, read, written through and unlinked, against a server that
 * echoes everything.
 */
export async function runAddressesStory(stage: CanaryStage): Promise<void> {
  const { call, plant, outside } = stage;
  const token = plant('the token of a JSON service');
  const service = await linkAccount(stage, { provider: 'http_json', url: `${outside.url}/items`, token });
  await call('test_connection', { connection_id: service });
  await call('fetch_from_integration', { source: 'http_json', install_id: service, input: { items: '' } });
  const { sync_id } = await call('sync_integration', { source: 'http_json' });
  await waitForSync(stage.server, String(sync_id));
  await call('list_syncs');
  const order = { summary: 'An order', method: 'POST', path: '/items', body: { name: 'Gears' } };
  const request = { install_id: service, action_name: 'send_request', input: order };
  const { draft_id } = await call('act_on_integration', request);
  await call('confirm_action', { draft_id });
  await call('get_action', { draft_id });
  const askedRequests = outside.requests.filter(({ headers }) =>
    JSON.stringify(headers).includes(JSON.stringify(token).slice(1, -1)),
  );
  if (!askedRequests.some(({ method }) => method === 'GET') || !askedRequests.some(({ method }) => method === 'POST'))
    throw new Error('the token did not reach the service by reading and by writing');

  const secret = plant('the secret in the address of a calendar');
  const address = `${outside.url}/${encodeURIComponent(secret)}/calendar.ics`;
  outside.answer = { headers: { 'content-type': 'text/calendar' }, body: buildCalendar(address) };
  const calendar = await linkAccount(stage, { provider: 'ics', token: address });
  await call('test_connection', { connection_id: calendar });
  await call('fetch_from_integration', { source: 'ics', install_id: calendar, input: {} });
  const followed = await call('sync_integration', { source: 'ics' });
  await waitForSync(stage.server, String(followed['sync_id']));
  await call('list_syncs');
  const { pages } = await call('list_pages', { source: 'ics' });
  if (!(pages as unknown[]).length) throw new Error('the calendar was not read');
  for (const { id } of pages as { id: string }[]) await call('get_page', { id });
  await call('list_integrations');
  await call('list_connections');
  outside.answer = 'echo';
  for (const connection_id of [service, calendar]) await call('revoke_connected_account', { connection_id });
}

async function linkAccount({ browser }: CanaryStage, account: object): Promise<string> {
  return String((await browser.ok('connect_with_token', account))['connection_id']);
}

/** A calendar whose event contains the URL it was fetched from. */
function buildCalendar(address: string): string {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Canary//EN', 'BEGIN:VEVENT', 'UID:canary@example.com'];
  const [day] = new Date(Date.now() + 86_400_000).toISOString().replaceAll(/[-:]/g, '').split('T');
  const event = [`DTSTAMP:${day}T100000Z`, `DTSTART:${day}T100000Z`, 'SUMMARY:Canary', `DESCRIPTION:From ${address}`];
  return [...lines, ...event, `URL:${address}`, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
}
