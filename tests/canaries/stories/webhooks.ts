import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CanaryStage } from '../stage.ts';

const code = `function translate({ body, headers, query }) {
  if (body.fail) throw new Error(JSON.stringify([headers, query]));
  return { documents: [{ content: body.text, metadata: { headers, query } }] };
}`;

/** Webhooks: secrets of connectors, credentials of senders, and what destinations sign and send with. */
export async function runWebhooksStory(stage: CanaryStage): Promise<void> {
  const { call, plant, outside, page } = stage;
  const { brain_id } = await call('create_brain', { name: 'Webhook canaries' });
  const secret = plant('the secret of a webhook connector');
  const given = { name: 'Canary', brain_id, signature_scheme: 'hmac_sha256', translator_code: code };
  const made = await call('create_webhook_connector', { ...given, webhook_secret: secret });
  const webhook_connector_id = made['connector_id'];
  await call('update_webhook_config', { webhook_connector_id, webhook_secret: secret, name: 'Canary two' });
  const fixture = { fixture_name: 'Usual', fixture_raw_body: '{"text":"x"}', fixture_expected_outcome: 'ingest' };
  const { fixture_id } = await call('add_webhook_test_fixture', { webhook_connector_id, ...fixture });
  await call('test_webhook_translator', { fixture_id });
  await call('activate_webhook_connector', { webhook_connector_id });
  const name = 'HOOK_VALUE';
  const host = new URL(outside.url).host;
  const value = plant('a value in a header of a destination');
  await call('set_variable', { var_scope: 'person', var_name: name, value, hosts: [host], placements: ['header'] });
  const { variables } = await call('list_variables', { var_scope: 'person' });
  const handle = (variables as { name: string; handle: string }[]).find((each) => each.name === name)?.handle;
  const to = { output_destination_url: `${outside.url}/in`, output_destination_kind: 'webhook' };
  const { output_destination_id, signing_secret } = await call('register_output_destination', {
    name: 'Outside',
    ...to,
    headers: { authorization: `Bearer ${handle}` },
  });
  stage.found('a signing secret', String(signing_secret), true);
  const rotated = await call('rotate_output_secret', { output_destination_id });
  stage.found('a rotated signing secret', String(rotated['signing_secret']), true);
  const from = { output_source_kind: 'webhook_connector', output_source_id: webhook_connector_id };
  await call('attach_output_route', { ...from, output_destination_id, output_payload_format: 'raw_payload' });
  for (const body of ['{"text":"A canary sings"}', '{"fail":true}', '{"unsigned":1}']) {
    const signature = createHmac('sha256', body.includes('unsigned') ? 'another' : secret).update(body);
    const query = new URLSearchParams({ api_key: plant('a key in the address of a sender') });
    const headers = {
      'content-type': 'application/json',
      'x-signature': signature.digest('hex'),
      authorization: `Bearer ${plant('a token of a sender')}`,
      'x-api-key': plant('a key of a sender'),
      cookie: `session=${plant('a cookie of a sender')}`,
    };
    await page(`/v1/webhook/${String(made['webhook_slug'])}?${query}`, { method: 'POST', body, headers });
  }
  const isPassedOn = () => outside.requests.some((request) => JSON.stringify(request).includes('A canary sings'));
  for (let waits = 0; !isPassedOn(); waits += 1) {
    if (waits > 400) throw new Error('the event was not passed on');
    await sleep(25);
  }
  const { events } = await call('list_webhook_events', { webhook_connector_id });
  for (const { webhook_event_id } of events as { webhook_event_id: string }[])
    await call('get_webhook_event', { webhook_event_id });
  await call('get_webhook_samples', { webhook_connector_id });
  await call('replay_webhook_events', { webhook_connector_id });
  await call('list_output_deliveries', { output_destination_id });
  await call('get_webhook_connector', { webhook_connector_id });
  await call('list_output_destinations', {});
  const notion = await call('create_webhook_connector', { name: 'Notion', brain_id, provider: 'notion' });
  const path = `/v1/webhook/${String(notion['webhook_slug'])}`;
  const token = `secret_${Date.now()}canaryofnotion`;
  for (const verification_token of [token, `${token}second`]) {
    stage.found('a verification token', verification_token);
    await page(path, { method: 'POST', body: JSON.stringify({ verification_token }) });
  }
  const kept = { webhook_connector_id: notion['connector_id'] };
  await call('list_webhook_events', kept);
  await call('show_webhook_secret', kept); // an agent is refused
}
