// Files that go with a mail, as the person who decides sees them.
import { readFile } from 'node:fs/promises';
import { listAxeProblems } from './axe.ts';
import { declineAll, createMailDraft, linkGmail } from './drafting.ts';
import { expect, test } from './fixture.ts';

test.beforeEach(async ({ console: page, thalamus }) => linkGmail(page, thalamus));
test.afterEach(async ({ thalamus }) => declineAll(thalamus));

test('files of a mail are shown with their sizes, opened while it waits, and sent', async ({
  console: page,
  thalamus,
}) => {
  const content_base64 = Buffer.from('Oil the bearing.').toString('base64');
  const attachments = [{ filename: 'bearing.txt', mime_type: 'text/plain', content_base64 }];
  const draftId = await createMailDraft(thalamus, { subject: 'With a file' }, undefined, { attachments });
  await page.goto(`/inbox/${draftId}`);
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save bearing.txt, 16 bytes' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe('bearing.txt');
  expect(await readFile(await download.path(), 'utf8')).toBe('Oil the bearing.');
  await page.getByRole('button', { name: 'Approve & send' }).click();
  await expect(page.getByText('Sent.', { exact: true })).toBeVisible();
  await expect(page.getByText('bearing.txt', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Save bearing/ })).toHaveCount(0);
  const sent = thalamus.google.ledger.sent().filter(({ subject }) => subject === 'With a file');
  expect(sent).toMatchObject([{ attachments: [{ filename: 'bearing.txt', size: 16 }] }]);
});

test('images and plain text are shown in place, and files that could run can only be saved', async ({
  console: page,
  thalamus,
}) => {
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const attachments = [
    { filename: 'dot.png', mime_type: 'image/png', content_base64: dot },
    { filename: 'notes.txt', mime_type: 'text/plain', content_base64: base64('Oil <b>the</b> bearing.') },
    { filename: 'page.html', mime_type: 'text/html', content_base64: base64(`<p>Hi</p>${script}`) },
    { filename: 'chart.svg', mime_type: 'image/svg+xml', content_base64: base64(script) },
    { filename: 'broken.png', mime_type: 'image/png', content_base64: base64(script) },
  ];
  const long = { subject: 'With files to see', body: 'A line.\n'.repeat(120) };
  const draftId = await createMailDraft(thalamus, long, undefined, { attachments });
  await page.goto(`/inbox/${draftId}`);
  await expect(page.getByRole('link', { name: /With files to see.*5 files/ })).toBeVisible();
  await expect(page.getByText('notes.txt', { exact: true })).not.toBeInViewport();
  await page.getByRole('button', { name: '5 (dot.png, notes.txt, page.html, chart.svg, broken.png)' }).click();
  await expect(page.getByText('notes.txt', { exact: true })).toBeInViewport();
  await page.getByRole('button', { name: 'Show dot.png' }).click();
  const image = page.getByRole('img', { name: 'dot.png' });
  await expect(image).toBeVisible();
  await expect.poll(() => image.evaluate((shown: { naturalWidth: number }) => shown.naturalWidth)).toBe(1);
  await page.getByRole('button', { name: 'Show notes.txt' }).click();
  await expect(page.getByLabel('Text of notes.txt')).toHaveText('Oil <b>the</b> bearing.');
  await page.getByRole('button', { name: 'Show broken.png' }).click();
  await expect(page.getByText('broken.png cannot be shown. Save it to look at it.')).toBeVisible();
  for (const name of ['page.html', 'chart.svg']) {
    await expect(page.getByRole('button', { name: `Save ${name}` })).toBeVisible();
    await expect(page.getByRole('button', { name: `Show ${name}` })).toHaveCount(0);
  }
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Hide dot.png' }).click();
  await expect(image).toHaveCount(0);
  await page.getByRole('button', { name: 'Approve & send' }).click();
  await expect(page.getByText('Sent.', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /Show|Hide/ })).toHaveCount(0);
});
