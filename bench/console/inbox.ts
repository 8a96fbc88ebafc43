// What a person waits for in the inbox, in a real browser. The same keys and clicks go by turns to an inbox of few drafts, to
// one of 5,000, and to a page that only changes a word. On a shared machine a wait is also that for a processor which another
// machine has: such interactions are told apart.
import { spawnSync } from 'node:child_process';
import { chromium, type Browser, type Page } from '@playwright/test';
import { browserOptions } from '../../tests/e2e/browser.ts';
import { readTicks, computeStolenShare } from '../stolen.ts';
import { median, formatMilliseconds, percentile, type Bench, type Table } from '../table.ts';
import { openBlank, openInbox, scrollDown, type OpenedPage } from './open-inbox.ts';
import type { TimedWait } from './watch-page.ts';
import { chooseSize } from '../size.ts';

const [few, many] = [chooseSize(120, 60), chooseSize(5_000, 120)];
const rounds = chooseSize(6, 1);
/** Below which Interaction to Next Paint has to be, in milliseconds; and how many times as long as few drafts many may take. */
const bars = { paintMs: 100, ratio: 1.25 };

type Row = Table['rows'][number];
type Act = {
  name: string;
  times: number;
  pauseMs: number;
  /** Faster than any person: it measures throughput, not waiting time. */
  isKeyDown?: true;
  do(page: Page, turn: number): Promise<void>;
};
/** A wait in milliseconds, and whether the machine had its processors all the while. */
type Wait = { took: number; isUndisturbed: boolean };
/** The times of one action on one page: until the next paint, and until the next draft is painted. */
type Sample = { act: Act; page: OpenedPage; interactions: Wait[]; changes: Wait[] };

const acts: readonly Act[] = [
  { name: 'k and j, as fast as the page takes them', times: 20, pauseMs: 0, isKeyDown: true, do: walk },
  { name: 'k and j, ten a second', times: 20, pauseMs: 100, do: walk },
  { name: 'd, two a second', times: 5, pauseMs: 500, do: (page) => page.keyboard.press('d') },
  { name: 'a row, four a second', times: 10, pauseMs: 250, do: chooseRow },
];

/** Measures it, in some minutes. */
export async function measureInbox(bench: Bench): Promise<Table> {
  spawnSync(process.execPath, ['scripts/build-console.ts'], { stdio: ['ignore', 2, 2] });
  const browser = await chromium.launch(browserOptions);
  const pages: OpenedPage[] = [];
  try {
    const rows = await openAll(bench, browser, pages);
    const before = readTicks();
    const samples: Sample[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bench.note(`round ${round + 1} of ${rounds}`);
      for (const page of pages) for (const act of acts) samples.push(await sample(page, act));
    }
    const stolen = `${(100 * computeStolenShare(before)).toFixed(0)} % of the time`;
    for (const act of acts) rows.push(...buildActRows(act, pages, samples));
    rows.push({ name: 'the processors were given to other machines', value: stolen });
    return { title: 'The inbox, in Chromium', rows: [...rows, ...buildBarRows(pages, samples)] };
  } finally {
    for (const page of pages) await page.close();
    await browser.close();
  }
}

/** Opens the small, large and blank inbox into `pages`. Returns the measurements. */
async function openAll(bench: Bench, browser: Browser, pages: OpenedPage[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const howMany of [few, many]) {
    bench.note(`an inbox of ${howMany}`);
    const inbox = await openInbox(browser, await bench.createDatabase(), howMany);
    pages.push(inbox);
    const { frames } = await scrollDown(inbox);
    rows.push(
      { name: `${inbox.name}: until the first can be decided`, value: formatMilliseconds(inbox.openedIn) },
      { name: `${inbox.name}: between frames, scrolled to the last`, value: spread(frames) },
    );
  }
  pages.push(await openBlank(browser, new URL('/openapi.json', pages[0]!.page.url()).href));
  return rows;
}

async function sample(opened: OpenedPage, act: Act): Promise<Sample> {
  const { page, watched } = opened;
  await page.bringToFront();
  await page.waitForTimeout(500); // what came before is painted and read
  const turns: { at: number; stolen: number }[] = [];
  await watched.begin();
  for (let turn = 0; turn < act.times; turn += 1) {
    await page.waitForTimeout(act.pauseMs);
    turns.push({ at: Date.now(), stolen: readTicks().stolen });
    const before = page.url();
    await act.do(page, turn);
    await page.waitForURL((url) => url.href !== before);
  }
  const { interactions, changes } = await watched.end();
  turns.push({ at: Date.now(), stolen: readTicks().stolen });
  const computeWait = ({ at, took }: TimedWait): Wait => {
    const turn = turns.findLastIndex((each) => each.at <= at + 1);
    return { took, isUndisturbed: turns[turn]?.stolen === turns[turn + 1]?.stolen };
  };
  return { act, page: opened, interactions: interactions.map(computeWait), changes: changes.map(computeWait) };
}

/** Up, and down again. */
function walk(page: Page, turn: number): Promise<void> {
  return page.keyboard.press(turn % 20 < 10 ? 'k' : 'j');
}

async function chooseRow(page: Page, turn: number): Promise<void> {
  const links = page.getByRole('region', { name: 'Waiting' }).getByRole('link', { name: /Subject/ });
  await links.nth(8 + (turn % 2)).click();
}

function buildActRows(act: Act, pages: readonly OpenedPage[], samples: readonly Sample[]): Row[] {
  return pages.map((page) => {
    const those = samples.filter((each) => each.act === act && each.page === page);
    const [interactions, changes] = [those.flatMap((each) => each.interactions), those.flatMap((each) => each.changes)];
    return {
      name: `${act.name}; ${page.name}`,
      value: `next paint ${spread(listTimes(interactions))}; the other draft painted ${spread(listTimes(changes))}`,
    };
  });
}

/** All actions at a person's speed. Browsers do not report events shorter than 16 ms. */
function buildBarRows(pages: readonly OpenedPage[], samples: readonly Sample[]): Row[] {
  const [fewWaits, manyWaits, blankWaits] = pages.map((page) =>
    samples.filter((each) => each.page === page && !each.act.isKeyDown).flatMap((each) => each.interactions),
  ) as [Wait[], Wait[], Wait[]];
  const undisturbed = listTimes(manyWaits.filter((wait) => wait.isUndisturbed));
  const [paint, ratio] = [percentile(undisturbed, 0.98), median(listTimes(manyWaits)) / median(listTimes(fewWaits))];
  const listSlow = (waits: readonly Wait[]) =>
    `${listTimes(waits).filter((took) => took >= bars.paintMs).length} of ${waits.length}`;
  return [
    {
      name: `${bars.paintMs} ms or longer until the next paint`,
      value: `few drafts ${listSlow(fewWaits)}, many ${listSlow(manyWaits)}, blank ${listSlow(blankWaits)}`,
    },
    {
      name: 'many drafts, while no processor was taken away',
      value: `${spread(undisturbed)}, of ${undisturbed.length}`,
    },
    {
      name: `bar: then Interaction to Next Paint (98th of 100) below ${bars.paintMs} ms`,
      value: `${formatMilliseconds(paint)}: ${paint < bars.paintMs ? 'met' : 'missed'}`,
    },
    {
      name: `bar: many take at most ${bars.ratio} times as long as few, at the median`,
      value: `${ratio.toFixed(2)}: ${ratio <= bars.ratio ? 'met' : 'missed'}`,
    },
  ];
}

function listTimes(waits: readonly Wait[]): number[] {
  return waits.map(({ took }) => took);
}

function spread(times: readonly number[]): string {
  const most = Math.max(...times);
  return `median ${formatMilliseconds(median(times))}, p98 ${formatMilliseconds(percentile(times, 0.98))}, most ${formatMilliseconds(most)}`;
}
