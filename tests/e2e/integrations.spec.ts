import { expect, test } from './fixture.ts';

test('Google is linked on its consent page, mail is pulled and found', async ({ console: page, thalamus }) => {
  const { google } = thalamus;
  google.addAccount({ email: 'ada@example.com', name: 'Ada Lovelace' });
  google.seedMail('ada@example.com', {
    from: 'Grace Hopper <grace@example.com>',
    subject: 'The compiler review',
    text: 'Hi Ada, the parser is ready for you.',
  });

  await page.goto('/integrations');
  await page.getByRole('link', { name: 'Gmail', exact: true }).click();
  await page.getByRole('button', { name: /Connect Gmail|Link another/ }).click();
  await page.getByLabel(/ada@example.com/).check();
  await page.locator('#allow').click();
  await expect(page).toHaveURL(/\/integrations\/gmail\?connected=gmail$/);
  await expect(page.getByRole('status').filter({ hasText: 'Linked.' })).toBeVisible();

  await expect(page.getByRole('listitem').filter({ hasText: 'ada@example.com' })).toBeVisible();
  const several = page.getByLabel('From');
  if (await several.isVisible()) await several.selectOption('ada@example.com');
  await page.getByLabel('What to pull').fill('from:grace');
  await page.getByRole('button', { name: 'Pull now' }).click();
  await page.getByRole('link', { name: 'See them' }).click();
  await page.getByRole('link', { name: /The compiler review/ }).click();
  await expect(page.getByText('the parser is ready for you')).toBeVisible();
  await expect(page.getByText('This text came from outside')).toBeVisible();
});

test('a declined consent says so and links nothing', async ({ console: page, thalamus }) => {
  thalamus.google.addAccount({ email: 'shy@example.com', name: 'Shy' });
  await page.goto('/integrations/drive');
  await page.getByRole('button', { name: /Drive/ }).click();
  await page.locator('#deny').click();
  await expect(page.getByRole('alert')).toContainText('declined');
});
