import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { listAxeProblems } from './axe.ts';
import { expect, test } from './fixture.ts';
import type { Thalamus } from './thalamus.ts';

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };

/** Axe in both themes, and nothing that scrolls sideways on a phone. */
async function expectSound(page: Page): Promise<void> {
  expect.soft(await listAxeProblems(page), page.url()).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect.soft(await listAxeProblems(page, 'color-contrast'), `${page.url()} in dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(phone);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect.soft(overflow, `${page.url()} on a phone`).toBeLessThanOrEqual(0);
  await page.setViewportSize(desktop);
}

test('a service is connected, its events are translated and stored, and go on to another service', async ({
  console: page,
  thalamus,
}) => {
  test.slow(); // axe looks at four pages
  const { brain_id } = await thalamus.call(thalamus.ownerKey, 'create_brain', { name: 'Lighthouse' });

  // A connector, with its secret shown once.
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sources');
  await page.getByRole('button', { name: 'New source' }).click();
  await page.getByRole('button', { name: /^Webhook/ }).click();
  await page.getByLabel('Sender').selectOption('GitHub');
  await page.getByLabel('Brain').selectOption(String(brain_id));
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('GitHub');
  const address = (await page.getByRole('group', { name: 'address' }).textContent()) ?? '';
  const secret = (await page.getByRole('group', { name: 'secret' }).textContent()) ?? '';
  expect(address).toMatch(/\/v1\/webhook\/[\w-]+$/);
  await expect(page.getByText('Secret: the secret of this connector')).toBeVisible();
  await expect(page.getByText('Waiting for the first event')).toBeVisible();
  await expectSound(page);

  // Events from outside are seen as they arrive.
  const tabs = page.getByRole('navigation', { name: 'About this connector' });
  await tabs.getByRole('link', { name: 'Events' }).click();
  await expect(page.getByText('Waiting for events')).toBeVisible();
  const send = async (delivery: string, body: object, key = secret) => {
    const text = JSON.stringify(body);
    const signature = createHmac('sha256', key).update(text).digest('hex');
    const response = await fetch(address, {
      method: 'POST',
      body: text,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'issues',
        'x-github-delivery': delivery,
        'x-hub-signature-256': `sha256=${signature}`,
      },
    });
    return response.status;
  };
  const issue = (number: number, title: string) => ({
    action: 'opened',
    issue: { id: number, number, title, state: 'open', body: 'It went out at night.' },
    repository: { full_name: 'ada/lighthouse' },
  });
  expect(await send('d-1', issue(7, 'The lamp is broken'))).toBe(202);
  expect(await send('d-2', issue(8, 'Forged'), 'another secret')).toBe(401);
  const events = page.getByRole('list', { name: 'Events' });
  await expect(events.getByRole('button', { name: /Sample/ })).toHaveCount(1);
  await expect(events.getByRole('button', { name: /Wrong signature/ })).toHaveCount(1);

  // The starter becomes the translator; a sample becomes a fixture that passes.
  await tabs.getByRole('link', { name: 'Translator' }).click();
  await expect(page.getByText('This translator fits the sender.')).toBeVisible();
  await page.getByRole('button', { name: 'Save as new version' }).click();
  await expect(page.getByRole('heading', { name: 'Translator, version 2' })).toBeVisible();
  await page.getByRole('button', { name: 'Activate' }).click();
  await expect(page.getByRole('alert')).toContainText('It has no fixture.');
  await tabs.getByRole('link', { name: 'Events' }).click();
  await events.getByRole('button', { name: /Sample/ }).focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Event' });
  await expect(drawer.getByLabel('Body')).toContainText('"title": "The lamp is broken"');
  await expect(drawer.getByText('x-github-delivery')).toBeVisible();
  await drawer.getByRole('button', { name: 'Dry run' }).click();
  await expect(drawer.getByText('Version 2: 1 document would be stored.')).toBeVisible();
  expect.soft(await listAxeProblems(page)).toEqual([]);
  await drawer.getByRole('button', { name: 'Add as fixture' }).click();
  await page.getByLabel('Name').fill('Issue opened');
  await page.getByRole('button', { name: 'Add fixture' }).click();
  await expect(page.getByText('Fixture added')).toBeVisible();
  await page.keyboard.press('Escape');
  await tabs.getByRole('link', { name: 'Translator' }).click();
  await page.getByRole('button', { name: 'Run fixtures' }).click();
  await expect(page.getByText('Passed', { exact: true })).toBeVisible();
  await expect(page.getByLabel('First document of Issue opened')).toContainText('The lamp is broken');
  await expectSound(page);
  await page.getByRole('button', { name: 'Activate' }).click();
  await expect(page.getByText('Active', { exact: true }).first()).toBeVisible();

  // Where events go on to.
  await page.goto('/destinations');
  await expect(page.getByText('No destinations yet')).toBeVisible();
  await page.getByRole('button', { name: 'New destination' }).click();
  await page.getByLabel('Name').fill('Warehouse');
  await page.getByLabel('Address').fill(thalamus.receiver.url);
  await page.getByRole('button', { name: 'Register destination' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Warehouse');
  const signing = (await page.getByRole('group', { name: 'secret' }).textContent()) ?? '';
  await page.getByRole('button', { name: 'More actions for this destination' }).click();
  await page.getByRole('menuitem', { name: 'Send test' }).click();
  await expect(page.getByText('Test message delivered')).toBeVisible();
  await page.getByRole('button', { name: 'Attach route' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Attach route' }).click();
  await expect(page.getByText('Documents, all of them')).toBeVisible();

  expect(await send('d-3', issue(9, 'The stairs creak'))).toBe(202);
  const deliveries = page.getByRole('list', { name: 'Deliveries' });
  await deliveries.getByRole('button', { name: /Delivered/ }).click();
  const delivery = page.getByRole('dialog', { name: 'Delivery' });
  await expect(delivery.getByRole('list', { name: 'Attempts' })).toContainText('HTTP 204');
  await expect(delivery.getByLabel('Payload')).toContainText('The stairs creak');
  await delivery.getByRole('button', { name: 'Replay' }).click();
  await expect(delivery.getByRole('list', { name: 'Attempts' }).getByRole('listitem')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expectSound(page);
  const [, first, second] = thalamus.receiver.got; // the first of all is the test message
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  const verify = () => new Webhook(signing).verify(first?.body ?? '', first?.headers as Record<string, string>);
  expect(verify()).toBeTruthy();

  // The event was stored, and its document is found.
  await page.goto('/sources');
  await page.getByRole('link', { name: /GitHub/ }).click();
  await page.getByRole('button', { name: 'Stored', exact: true }).click();
  await events.getByRole('button', { name: /Stored/ }).click();
  await drawer.getByRole('link', { name: 'Open memory' }).click();
  await expect(page.getByRole('dialog')).toContainText('The stairs creak');
});

const buildTranslator = (prefix: string) =>
  `export const translate = ({ body }) => ({ documents: [{ content: '${prefix}' + body.title, source_id: body.id }] });`;

/** A destination and an active connector of a sender that is not signed, made by a script. */
async function createWebhookSetup({ call, ownerKey, receiver }: Thalamus, name: string) {
  const make = (operation: string, input: object) => call(ownerKey, operation, input);
  const { brain_id } = await make('create_brain', { name: `${name} log` });
  const given = { name, brain_id, signature_scheme: 'none', translator_code: buildTranslator('') };
  const { connector_id, ingest_url } = await make('create_webhook_connector', given);
  const webhook_connector_id = String(connector_id);
  const expected = { fixture_name: 'High water', fixture_expected_outcome: 'ingest' };
  const body = { fixture_raw_body: '{"id":"f-1","title":"High water"}' };
  const fixture = await make('add_webhook_test_fixture', { webhook_connector_id, ...expected, ...body });
  await make('test_webhook_translator', { fixture_id: fixture['fixture_id'] });
  await make('activate_webhook_connector', { webhook_connector_id });
  const where = { name: `Pilot of ${name}`, output_destination_kind: 'webhook', output_destination_url: receiver.url };
  const { output_destination_id } = await make('register_output_destination', where);
  const source = { output_source_kind: 'webhook_connector', output_source_id: webhook_connector_id };
  await make('attach_output_route', { ...source, output_destination_id });
  const send = async (id: string, title: string) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(String(ingest_url), { method: 'POST', headers, body: JSON.stringify({ id, title }) })).status;
  };
  return { webhook_connector_id, output_destination_id: String(output_destination_id), send, make };
}

test('versions are compared and restored, events are replayed, and a connector is paused, resumed and deleted', async ({
  console: page,
  thalamus,
}) => {
  const { webhook_connector_id, send, make } = await createWebhookSetup(thalamus, 'Tides');
  expect(await send('t-1', 'Low water')).toBe(202);
  await page.goto(`/sources/${webhook_connector_id}`);
  const events = page.getByRole('list', { name: 'Events' });
  await expect(events.getByRole('button', { name: /Stored/ })).toHaveCount(1);

  // A newer version is compared on past events before it is activated.
  await make('update_webhook_config', { webhook_connector_id, translator_code: buildTranslator('Tide: ') });
  await page.goto(`/sources/${webhook_connector_id}?part=translator`);
  await expect(page.getByText('Version 2 is not active.')).toBeVisible();
  await page.getByRole('button', { name: 'Compare on past events' }).click();
  const differences = page.getByRole('dialog', { name: 'Compare on past events' });
  await expect(differences.getByText('Changed: 1')).toBeVisible();
  await expect(differences.getByLabel('Newest version')).toContainText('Tide: Low water');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page.getByLabel('Changes from version 1 to version 2')).toContainText('Tide: ');
  await page.getByRole('button', { name: 'Run fixtures' }).click();
  await expect(page.getByLabel('First document of High water')).toContainText('Tide: High water');
  await page.getByRole('button', { name: 'Activate version 2' }).click();
  await expect(page.getByText('Version 2 is not active.')).toBeHidden();

  // All events are translated again: first without an effect.
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await page.getByRole('button', { name: 'Replay…' }).click();
  const replay = page.getByRole('dialog', { name: 'Replay events' });
  await expect(replay.getByRole('button', { name: 'Replay 1 event' })).toBeHidden();
  await replay.getByRole('button', { name: 'Dry run' }).click();
  await expect(replay.getByText('1 event would be stored, 0 dropped, 0 would fail.')).toBeVisible();
  await replay.getByRole('button', { name: 'Replay 1 event' }).click();
  await expect(events.getByText('replayed once')).toBeVisible();
  await expect(events.getByRole('button', { name: /Stored/ })).toHaveCount(1);
  await events.getByRole('button', { name: /Stored/ }).click();
  await page.getByRole('dialog', { name: 'Event' }).getByRole('link', { name: 'Open memory' }).click();
  await expect(page.getByRole('dialog').filter({ hasText: 'Tide: Low water' })).toBeVisible();

  await page.goto(`/sources/${webhook_connector_id}?part=translator`);
  const old = page.getByRole('listitem').filter({ hasText: 'Version 1' });
  await old.getByRole('button', { name: 'Activate' }).click();
  await expect(old.getByText('Active', { exact: true })).toBeVisible();

  // A paused connector has senders try again later; a deleted one answers 404.
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  expect(await send('t-2', 'Ebb')).toBe(503);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  expect(await send('t-2', 'Ebb')).toBe(202);
  await page.getByRole('button', { name: 'More actions for this connector' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete connector' }).click();
  await expect(page).toHaveURL(/\/sources$/);
  await expect(page.getByRole('link', { name: /Tides/ })).toBeHidden();
  expect(await send('t-3', 'Flood')).toBe(410);
});

test('a destination is paused, started, rotated, recovered, detached and deleted, and a feed is read', async ({
  console: page,
  thalamus,
}) => {
  const { receiver } = thalamus;
  const { output_destination_id, send } = await createWebhookSetup(thalamus, 'Gales');
  const before = receiver.got.length;
  await page.goto(`/destinations/${output_destination_id}`);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByText('Paused. 0 deliveries wait.')).toBeVisible();
  expect(await send('p-1', 'Fog')).toBe(202);
  await expect(page.getByText('Paused. 1 delivery waits.')).toBeVisible();
  expect(receiver.got.length).toBe(before);
  await page.getByRole('button', { name: 'Start again' }).click();
  const deliveries = page.getByRole('list', { name: 'Deliveries' });
  await expect(deliveries.getByRole('button', { name: /Delivered/ })).toHaveCount(1);
  expect(receiver.got.at(-1)?.body).toContain('Fog');

  // A replaced secret signs beside the one before.
  await page.getByRole('button', { name: 'Replace secret' }).click();
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  const secret = (await page.getByRole('group', { name: 'secret' }).textContent()) ?? '';

  // The address fails, then answers again: failed deliveries are sent with the new secret.
  receiver.answerWith(410);
  expect(await send('p-2', 'Storm')).toBe(202);
  await expect(page.getByText('The address answered 410 Gone')).toBeVisible();
  receiver.answerWith(204);
  await page.getByRole('button', { name: 'Send failed again' }).click();
  await expect(deliveries.getByRole('button', { name: /Delivered/ })).toHaveCount(2);
  await expect(page.getByText('The address answered 410 Gone')).toBeHidden();
  await deliveries.getByRole('button').first().click(); // the newest
  const attempts = page.getByRole('dialog', { name: 'Delivery' }).getByRole('list', { name: 'Attempts' });
  await expect(attempts.getByRole('listitem')).toHaveText([/HTTP 410/, /HTTP 204/]);
  await page.keyboard.press('Escape');
  const last = receiver.got.at(-1);
  expect(last?.body).toContain('Storm');
  expect(() => new Webhook(secret).verify(last?.body ?? '', last?.headers as Record<string, string>)).not.toThrow();
  const headers = last?.headers['webhook-signature'];
  expect(String(headers).split(' ')).toHaveLength(2);

  const metrics = await (await fetch(`${thalamus.url}/metrics`)).text();
  const of = (outcome: string) => `{destination="${output_destination_id}",outcome="${outcome}"}`;
  expect(metrics).toContain(`thalamus_output_attempts_total${of('delivered')} 2`);
  expect(metrics).toContain(`thalamus_output_attempts_total${of('failed')} 1`);

  // A feed has the next event, although nothing is sent to the address any more.
  await page.getByRole('button', { name: 'Detach' }).click();
  await expect(page.getByText('No routes yet. Attach one, and events arrive here.')).toBeVisible();
  await page.goto('/destinations');
  await page.getByRole('button', { name: 'New destination' }).click();
  await page.getByLabel('Name').fill('Almanac');
  await page.getByLabel('Kind').selectOption('feed');
  await page.getByRole('button', { name: 'Register destination' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Almanac');
  const token = (await page.getByRole('group', { name: 'token' }).textContent()) ?? '';
  await page.getByRole('button', { name: 'Attach route' }).click();
  const attach = page.getByRole('dialog', { name: 'Attach a route' });
  await attach.getByLabel('From').selectOption({ label: 'Gales' });
  await attach.getByRole('button', { name: 'Attach route' }).click();
  await expect(page.getByText('Documents, all of them')).toBeVisible();
  const sent = receiver.got.length;
  expect(await send('p-3', 'Calm')).toBe(202);
  await expect(deliveries.getByRole('button', { name: /Unread/ })).toHaveCount(1);
  const read = async (cursor = '0') => {
    const feed = await fetch(`${thalamus.url}/v1/feed?cursor=${cursor}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return (await feed.json()) as { events: { body: string }[]; next_cursor: string };
  };
  const { events, next_cursor } = await read();
  expect(events.map(({ body }) => body)).toEqual([expect.stringContaining('Calm')]);
  expect((await read(next_cursor)).events).toEqual([]);
  await expect(deliveries.getByRole('button', { name: /Read/ })).toHaveCount(1);
  expect(receiver.got.length).toBe(sent);

  await page.getByRole('button', { name: 'More actions for this destination' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete destination' }).click();
  await expect(page.getByRole('link', { name: /Pilot of Gales/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /Almanac/ })).toBeHidden();
});
