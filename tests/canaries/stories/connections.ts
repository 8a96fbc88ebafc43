import { linkGoogle } from '../../support/google.ts';
import type { CanaryStage } from '../stage.ts';

/** An account that is linked, read, written through and unlinked; and drafts that name handles, which stay names. */
export async function runConnectionsStory(stage: CanaryStage): Promise<void> {
  const { call, plant, google, server, browser } = stage;
  const client = { id: 'canary-client-of-a-workspace', secret: plant('the client secret of a workspace') };
  google.addClient({ ...client, redirectUris: [/^http:/] });
  await call('configure_oauth_provider', { provider: 'google', client_id: client.id, client_secret: client.secret });
  const { connectionId } = await linkGoogle(server, google, { browser });
  await call('list_integrations');
  await call('fetch_from_integration', { source: 'gmail', input: { query: 'budget' } });

  const named = { var_scope: 'person', var_name: 'IN_A_DRAFT', value: plant('a value that a draft names') };
  const { handle } = await call('set_variable', { ...named, hosts: ['*.googleapis.com', new URL(google.url).host] });
  const input = { to: ['noah@example.com'], subject: 'Handle', body: `The handle is ${String(handle)}` };
  const drafted = await call('act_on_integration', { install_id: connectionId, action_name: 'send_email', input });
  await call('get_action', { draft_id: drafted['draft_id'] });
  await call('confirm_action', { draft_id: drafted['draft_id'] });
  await call('add_memory', { content: `The handle is ${String(handle)}` });
  const { id } = await call('add_memory', { content: `Found by ${String(handle)}` });
  await call('get_memory', { id });
  const sent = JSON.stringify(google.ledger.all().map(({ body }) => body));
  if (sent.includes(named.value)) throw new Error('a handle in a draft was resolved');
  await call('revoke_connected_account', { connection_id: connectionId });
  await browser.ok('who_am_i');
}
