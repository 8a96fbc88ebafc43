import { listAxeProblems } from './axe.ts';
import { expect, test } from './fixture.ts';
import { botToken } from './thalamus.ts';

test('a person links a phone by the code on the console, texts, and unlinks it', async ({
  console: page,
  thalamus,
}) => {
  const { telegram } = thalamus;
  await page.goto('/integrations/telegram');
  await page.getByLabel('Bot token').fill(botToken);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('No phone connected')).toBeVisible();
  await page.getByRole('button', { name: 'Connect your phone' }).click();
  await expect(page.getByRole('img', { name: 'Connect to @ada_notes_bot' })).toBeVisible();
  const link = new URL((await page.getByRole('link', { name: 'Open Telegram here' }).getAttribute('href')) ?? '');
  expect(link.origin + link.pathname).toBe('https://t.me/ada_notes_bot');
  expect(await listAxeProblems(page)).toEqual([]);

  const phone = telegram.addUser({ firstName: 'Ada', username: 'ada' });
  const bot = telegram.bot('ada_notes_bot');
  telegram.type(phone, bot, `/start ${link.searchParams.get('start')}`);
  await expect(page.getByText('Connected as @ada')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open Telegram here' })).toHaveCount(0);
  telegram.type(phone, bot, 'The gate code of the harbour is blue');
  await expect.poll(() => telegram.messages(phone).at(-1)?.text).toContain('Noted in');
  await page.goto('/memory?q=harbour');
  await expect(page.getByText('The gate code of the harbour is blue').first()).toBeVisible();

  await page.goto('/integrations/telegram');
  await page.getByRole('button', { name: 'Disconnect the phone from @ada_notes_bot' }).click();
  await expect(page.getByText('No phone connected')).toBeVisible();
  await page.getByRole('button', { name: 'Disconnect @ada_notes_bot' }).click();
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click();
  await expect(page.getByText('Your phone', { exact: true })).toHaveCount(0);
});
