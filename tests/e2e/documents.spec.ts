import { writeFile } from 'node:fs/promises';
import { listAxeProblems } from './axe.ts';
import { expect, test } from './fixture.ts';

const createParagraphs = (subject: string, from: number) =>
  Array.from(
    { length: 60 },
    (_, line) => `${subject} rule ${from + line}: the ${subject.toLowerCase()} crew checks the ${subject} log.`,
  ).join('\n\n');

test('a document is uploaded, read by topic and line, downloaded and deleted, and a bad one says why', async ({
  console: page,
}) => {
  await page.goto('/library/documents');
  await expect(page.getByText('No documents yet')).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);

  const text = [createParagraphs('Harbour', 1), createParagraphs('Glacier', 61), createParagraphs('Orchid', 121)].join(
    '\n\n',
  );
  await page.getByLabel('Files to upload').setInputFiles([
    { name: 'handbook.md', mimeType: 'text/markdown', buffer: Buffer.from(`# Handbook\n\n${text}`) },
    { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 and nothing else') },
  ]);
  await expect(page.getByRole('link', { name: /Handbook/ })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: /PDF/i })).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss broken.pdf' }).click();
  await expect(page.getByText('broken.pdf')).toBeHidden();
  expect(await listAxeProblems(page)).toEqual([]);

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
  expect(await listAxeProblems(page)).toEqual([]);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toContain('handbook');
  await page.getByRole('button', { name: 'More actions for this document' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete document' }).click();
  await expect(page.getByText('No documents yet')).toBeVisible();
});

test('a file replaces the one with its name, and a person keeps both', async ({ console: page }) => {
  await page.goto('/library/documents');
  const upload = async (words: string) => {
    const text = `# Berths ${words}\n\nThe pier has ${words} berths.`;
    await page
      .getByLabel('Files to upload')
      .setInputFiles({ name: 'berths.md', mimeType: 'text/markdown', buffer: Buffer.from(text) });
    await expect(page.getByRole('link', { name: new RegExp(`Berths ${words}`) })).toBeVisible();
  };
  const berths = page.getByRole('link', { name: /^Berths/ });
  await upload('nine');
  await upload('ten');
  await expect(page.getByText('Former version replaced')).toBeVisible();
  await expect(berths).toHaveCount(1);
  await page.getByLabel('Keep both instead').check();
  await upload('eleven');
  await expect(berths).toHaveCount(2);
  expect(await listAxeProblems(page)).toEqual([]);
});

test('a dropped file shows its progress, and stores nothing when it is cancelled', async ({
  console: page,
}, testInfo) => {
  await page.goto('/library/documents');
  const browser = await page.context().newCDPSession(page);
  const drop = async (name: string) => {
    const path = testInfo.outputPath(name);
    await writeFile(path, createParagraphs(name, 1).repeat(1_000));
    const place = await page.getByText('Drop files here').boundingBox();
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await browser.send('Input.dispatchDragEvent', { type, x: place!.x, y: place!.y, data });
  };
  const uploadAt = (bytesPerSecond: number) =>
    browser.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    });
  await uploadAt(1_000_000);
  await drop('tide.txt');
  const progress = page.getByRole('progressbar', { name: 'Upload of tide.txt' });
  await expect(progress).toHaveAttribute('value', /^0\.\d*[1-9]/);
  await expect(page.getByText('Uploading')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel tide.txt' }).click();
  await expect(progress).toBeHidden();

  await uploadAt(-1);
  await drop('moon.txt');
  await expect(page.getByText('Reading its text')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel moon.txt' }).click();
  // A file of the same size that came later is stored later.
  await drop('star.txt');
  await expect(page.getByRole('link', { name: /star/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', { name: /star/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /tide|moon/ })).toHaveCount(0);
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
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByLabel('Platform').selectOption('OpenAI');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Knowledge' }).click();
  const file = await (await download).createReadStream();
  const text = Buffer.concat(await file.toArray()).toString();
  expect(text).toContain('The northern light burns oil.');
  expect(JSON.parse(text)).toHaveProperty('messages');
});

test('a brain is exported as a file and imported again, and a file that is not an archive is refused with the reason', async ({
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
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Nothing is imported');
  const busy = { code: 'rate_limited', detail: 'Too many calls.', details: { retry_after: 0.1 } };
  await page.route('**/v1/tools/add_import_lines', (route) => route.fulfill({ status: 429, json: busy }), { times: 1 });
  await page.getByLabel('Archive', { exact: true }).setInputFiles(file);
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ferries Brain');
  await expect(page.getByText('1 memory').first()).toBeVisible();
});
