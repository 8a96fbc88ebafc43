// An inbox of 5,000 drafts, decided in a real browser. What it measures is printed and kept beside the result; how fast
// a machine is decides nothing here.
import { expect, test, type Page, type TestInfo } from '@playwright/test';
import { startBenchPostgres, type BenchPostgres } from '../../bench/postgres.ts';
import { formatTable, median, ms, percentile, type Table } from '../../bench/table.ts';
import { draftMail, linkGmail } from './drafting.ts';
import { seedDrafts } from './seed-drafts.ts';
import { startThalamus, type Thalamus } from './thalamus.ts';
import { watchPage, type Watched } from './watch-page.ts';

const howMany = 5_000;
let postgres: BenchPostgres;
let databaseUrl: string;
let thalamus: Thalamus;

// A trace watches every change of the page, which is most of what happens here.
test.use({ trace: 'off' });

test.beforeAll(async () => {
  postgres = await startBenchPostgres();
  databaseUrl = await postgres.createDatabase();
  thalamus = await startThalamus({ DATABASE_URL: databaseUrl, THALAMUS_RATE_LIMIT: '1000000' });
});
test.afterAll(async () => {
  await thalamus?.close();
  await postgres?.stop();
});

test('5,000 drafts are scrolled to the last, walked through and decided, and a batch with a part not shown whole is not approved as one', async ({
  page,
}, info) => {
  test.setTimeout(240_000);
  await page.goto(thalamus.signInLink);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${thalamus.url}/`);
  await linkGmail(page, thalamus);
  await draftMail(thalamus, { subject: 'Subject 0' });
  await seedDrafts(databaseUrl, howMany - 1);
  const watched = await watchPage(page);

  const opened = performance.now();
  await page.goto(`${thalamus.url}/inbox`);
  const waiting = page.getByRole('region', { name: 'Waiting' });
  await expect(waiting.getByText('5000 waiting')).toBeAttached();
  await expect(page.getByRole('button', { name: 'Decline', exact: true })).toBeVisible();
  const rows = [{ name: 'the first draft can be decided', value: ms(performance.now() - opened) }];
  await info.attach('full', { body: await page.screenshot(), contentType: 'image/png' });

  await waiting.hover();
  const approveAll = waiting
    .getByRole('listitem')
    .filter({ hasText: '6 together' })
    .getByRole('button', { name: 'Approve all' });
  await scrollUntil(page, () => expect(approveAll.first(), 'a part is not shown whole').toBeDisabled({ timeout: 100 }));
  await scrollUntil(page, () => expect(approveAll.last(), 'all is shown').toBeEnabled({ timeout: 100 }));

  await watched.begin('frames');
  const scrolled = performance.now();
  await expect(async () => {
    for (let turn = 0; turn < 40; turn += 1) await page.mouse.wheel(0, 1_500);
    await expect(waiting.getByRole('link', { name: 'Subject 0' })).toBeVisible({ timeout: 50 });
  }).toPass({ timeout: 120_000, intervals: [10] });
  rows.push({ name: 'scrolled to the last, all read on the way', value: ms(performance.now() - scrolled) });
  rows.push(...framesIn(await watched.end()));
  expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(2_000);
  await waiting.getByRole('link', { name: 'Subject 0' }).click();

  // As fast as the page takes them, which is before it has painted the one before; then as fast as a person presses.
  rows.push(...(await press(page, watched, 'k', 40, 0)));
  rows.push(...(await press(page, watched, 'k', 40, 100)));
  await expect(page.getByRole('button', { name: 'Decline', exact: true })).toBeVisible();
  const declined = await press(page, watched, 'd', 20, 500);
  rows.push(...declined);
  await expect(waiting.getByText('4980 waiting')).toBeAttached();
  await expect(async () => {
    expect(await thalamus.call(thalamus.ownerKey, 'list_pending_actions')).toMatchObject({ total: howMany - 20 });
  }).toPass();

  await watched.begin();
  for (let turn = 0; turn < 20; turn += 1) {
    const links = waiting.getByRole('link', { name: /Subject/ });
    await links.nth((turn % 2) + 9).click();
  }
  rows.push(...timesIn('choosing a row', 20, await watched.end()));

  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url().split('/').at(-1) ?? ''));
  await watched.begin('frames');
  await draftMail(thalamus, { subject: 'It has just come' });
  await expect(waiting.getByText('4981 waiting')).toBeAttached();
  await waiting.locator('.overflow-y-auto').evaluate((list) => list.scrollTo({ top: 0 }));
  await expect(waiting.getByRole('link', { name: /It has just come/ })).toBeVisible();
  const reads = requests.filter((operation) => operation === 'list_pending_actions').length;
  expect(reads, 'one that comes is read alone, not with all the others').toBeLessThanOrEqual(2);
  rows.push({ name: 'reads of the list for one that comes', value: String(reads) });
  rows.push(...framesIn(await watched.end()));
  await report(info, { title: `The inbox with ${howMany.toLocaleString('en')} drafts, in Chromium`, rows });
});

/** Scrolls on, a part of the list at a time, until it holds. */
async function scrollUntil(page: Page, holds: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.mouse.wheel(0, 400);
    await holds();
  }).toPass({ timeout: 60_000, intervals: [50] });
}

/** Presses a key again and again, and waits each time until another draft is shown. */
async function press(page: Page, watched: Watched, key: string, times: number, pauseMs: number) {
  await watched.begin();
  for (let time = 0; time < times; time += 1) {
    await page.waitForTimeout(pauseMs);
    const before = page.url();
    await page.keyboard.press(key);
    await expect(page).not.toHaveURL(before);
  }
  const name = pauseMs ? `key ${key} every ${pauseMs} ms` : `key ${key} without a pause`;
  return timesIn(name, times, await watched.end());
}

type Seen = Awaited<ReturnType<Watched['end']>>;

function timesIn(name: string, times: number, { events, changes, longTasks }: Seen): Table['rows'] {
  // Below 16 ms a browser tells nothing of an event.
  const told = events.length
    ? `${ms(Math.max(...events))} at most, ${events.length} events of 16 ms or more`
    : 'all below 16 ms';
  return [
    { name: `${name}, ${times} times: until the next paint (Event Timing)`, value: told },
    {
      name: `${name}: until the other draft is painted`,
      value: `median ${ms(median(changes))}, p95 ${ms(percentile(changes, 0.95))}, most ${ms(Math.max(...changes))} (${changes.length} seen)`,
    },
    tasksIn(longTasks),
  ];
}

function framesIn({ frames, longTasks }: Seen): Table['rows'] {
  return [
    {
      name: '  between frames',
      value: `median ${ms(median(frames))}, p95 ${ms(percentile(frames, 0.95))}, p99 ${ms(percentile(frames, 0.99))}, most ${ms(Math.max(...frames))}`,
    },
    tasksIn(longTasks),
  ];
}

/** What kept the page from answering. */
function tasksIn(longTasks: readonly number[]): Table['rows'][number] {
  return {
    name: '  tasks of 50 ms or more',
    value: longTasks.length ? longTasks.map((time) => ms(time)).join(', ') : 'none',
  };
}

async function report(info: TestInfo, table: Table): Promise<void> {
  const text = formatTable(table);
  console.log(`\n${text}\n`);
  await info.attach('figures', { body: text, contentType: 'text/plain' });
}
