import { faults } from './axe.ts';
import { expect, test } from './fixture.ts';

const paragraphs = (subject: string, from: number) =>
  Array.from(
    { length: 60 },
    (_, line) => `${subject} rule ${from + line}: the ${subject.toLowerCase()} crew checks the ${subject} log.`,
  ).join('\n\n');

test('a document is uploaded, read by topic and line, downloaded and deleted, and a bad one says why', async ({
  console: page,
}) => {
  await page.goto('/library/documents');
  await expect(page.getByText('No documents yet')).toBeVisible();
  expect(await faults(page)).toEqual([]);

  const text = [paragraphs('Harbour', 1), paragraphs('Glacier', 61), paragraphs('Orchid', 121)].join('\n\n');
  await page.getByLabel('Files to upload').setInputFiles([
    { name: 'handbook.md', mimeType: 'text/markdown', buffer: Buffer.from(`# Handbook\n\n${text}`) },
    { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 and nothing else') },
  ]);
  await expect(page.getByRole('link', { name: /Handbook/ })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: /PDF/i })).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss broken.pdf' }).click();
  await expect(page.getByText('broken.pdf')).toBeHidden();
  expect(await faults(page)).toEqual([]);

  await page.getByRole('link', { name: /Handbook/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Handbook');
  await expect(page.getByRole('list', { name: 'Text' })).toContainText('Harbour rule 1:');
  const topics = page.getByRole('navigation', { name: 'Topics' });
  const range = topics.getByRole('button').last();
  const line = Number(/\d+/.exec((await range.textContent()) ?? '')?.[0]);
  await range.click();
  await expect(page).toHaveURL(new RegExp(`\\?line=${line}$`));
  const shown = page.locator('[aria-current=location]');
  await expect(shown).toContainText(String(line));
  await expect(shown).toBeInViewport();
  await page.goto(`${page.url().split('?')[0]}?line=250`);
  await expect(shown).toBeInViewport();
  await page.getByRole('button', { name: 'Show lines before' }).click();
  await expect(page.getByRole('list', { name: 'Text' })).toContainText('Harbour rule 1:');
  await expect(page.getByRole('button', { name: /Show/ })).toHaveCount(0);
  expect(await faults(page)).toEqual([]);

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toContain('handbook');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete document' }).click();
  await expect(page.getByText('No documents yet')).toBeVisible();
});

test('an upload that is cancelled stores nothing', async ({ console: page }) => {
  await page.goto('/library/documents');
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/documents', async (route) => {
    await held.promise;
    await route.continue().catch(() => {}); // the browser has given it up
  });
  const buffer = Buffer.from('The tide table hangs in the hall.');
  await page.getByLabel('Files to upload').setInputFiles([{ name: 'tide.txt', mimeType: 'text/plain', buffer }]);
  await expect(page.getByText(/Uploading|Reading its text/)).toBeVisible();
  await page.getByRole('button', { name: 'Cancel tide.txt' }).click();
  held.resolve();
  await expect(page.getByText('tide.txt')).toBeHidden();
  await page.reload();
  await expect(page.getByText('No documents yet')).toBeVisible();
});

test('the owner of a brain sees whether it can train a model, and downloads the data', async ({
  console: page,
  thalamus,
}) => {
  const { brain_id } = await thalamus.call(thalamus.ownerKey, 'create_brain', { name: 'Lighthouses' });
  await thalamus.call(thalamus.ownerKey, 'add_memory', {
    content: 'The northern light burns oil.',
    target_brain_id: brain_id,
  });
  await page.goto(`/brains/${String(brain_id)}?tab=training`);
  await expect(page.getByText('Not enough yet')).toBeVisible();
  await expect(page.getByText(/1 pairs are too few/)).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await page.getByLabel('Platform').selectOption('OpenAI');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download Knowledge' }).click();
  const file = await (await download).createReadStream();
  const text = Buffer.concat(await file.toArray()).toString();
  expect(text).toContain('The northern light burns oil.');
  expect(JSON.parse(text)).toHaveProperty('messages');
});

test('a brain is exported as a file and imported again, and a file that is no archive says why', async ({
  console: page,
  thalamus,
}) => {
  const { brain_id } = await thalamus.call(thalamus.ownerKey, 'create_brain', { name: 'Ferries' });
  await thalamus.call(thalamus.ownerKey, 'add_memory', {
    content: 'The ferry leaves at six.',
    target_brain_id: brain_id,
  });
  await page.goto(`/brains/${String(brain_id)}?tab=settings`);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await (await download).path();
  await thalamus.call(thalamus.ownerKey, 'delete_brain', { brain_id, confirm: 'Ferries Brain' });

  await page.goto('/brains');
  await page.getByRole('button', { name: 'Import' }).click();
  await page
    .getByLabel('Archive', { exact: true })
    .setInputFiles({ name: 'no.jsonl', mimeType: 'text/plain', buffer: Buffer.from('a\nb\n') });
  expect(await faults(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Nothing is imported');
  const busy = { code: 'rate_limited', detail: 'Too many calls.', details: { retry_after: 0.1 } };
  await page.route('**/v1/tools/add_import_lines', (route) => route.fulfill({ status: 429, json: busy }), { times: 1 });
  await page.getByLabel('Archive', { exact: true }).setInputFiles(file);
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ferries Brain');
  await expect(page.getByText('1 memory').first()).toBeVisible();
});
