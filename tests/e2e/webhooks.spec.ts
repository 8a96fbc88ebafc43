import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { faults } from './axe.ts';
import { expect, test } from './fixture.ts';

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };

/** Axe in both themes, and nothing that scrolls sideways on a phone. */
async function expectSound(page: Page): Promise<void> {
  expect.soft(await faults(page), page.url()).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect.soft(await faults(page, 'color-contrast'), `${page.url()} in dark`).toEqual([]);
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
  await expect(page.getByText('No webhook connectors yet')).toBeVisible();
  await page.getByRole('button', { name: 'New connector' }).click();
  await page.getByLabel('Sender').selectOption('GitHub');
  await page.getByLabel('Brain').selectOption(String(brain_id));
  await page.getByRole('button', { name: 'Create connector' }).click();
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
  expect.soft(await faults(page)).toEqual([]);
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
  await page.goto('/webhooks/outgoing');
  await expect(page.getByText('No destinations yet')).toBeVisible();
  await page.getByRole('button', { name: 'New destination' }).click();
  await page.getByLabel('Name').fill('Warehouse');
  await page.getByLabel('Address').fill(thalamus.receiver.url);
  await page.getByRole('button', { name: 'Register destination' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Warehouse');
  const signing = (await page.getByRole('group', { name: 'secret' }).textContent()) ?? '';
  await page.getByRole('button', { name: 'Send test' }).click();
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
  await page.goto('/webhooks');
  await page.getByRole('link', { name: /GitHub/ }).click();
  await page.getByRole('button', { name: 'Stored', exact: true }).click();
  await events.getByRole('button', { name: /Stored/ }).click();
  await drawer.getByRole('link', { name: 'Open memory' }).click();
  await expect(page.getByRole('dialog')).toContainText('The stairs creak');
});
