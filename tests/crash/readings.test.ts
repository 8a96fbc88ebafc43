// A server is killed during a reading. Another process reads again, and no page is lost or stored twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServiceAnsweredByHand, type ServiceAnsweredByHand } from '../support/answered-by-hand.ts';
import { selectByDepth } from '../support/depth.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { endLeases } from '../support/time-passes.ts';

const key = `cm_${'readingkey'.repeat(4)}`;
const count = 2_000;

let round = 0;
let service: ServiceAnsweredByHand;
const buildStories = () => {
  const hits = Array.from({ length: count }, (_each, n) => ({ objectID: `${round}-${n}`, title: `Story ${n}` }));
  return JSON.stringify({ hits });
};

let server: ServerProcess;
let settings: Record<string, string>;
let database: OwnerDatabase;
let created: Awaited<ReturnType<typeof createTestDatabase>>;
let install_id: string;

beforeAll(async () => {
  service = await startServiceAnsweredByHand();
  const { url } = service;
  created = await createTestDatabase();
  settings = { ...buildServerSettings(created.connectionString), THALAMUS_WEB_BASE_URL: url };
  server = await startServerProcess(settings, key);
  database = await openAsOwner(created.connectionString);
  install_id = String((await server.ok('apply_starter_recipe', { slug: 'hacker-news-front' }))['install_id']);
  (await service.awaitRequest()).end(buildStories());
  while ((await countPages())[0]?.['pages'] !== count) await sleep(50);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await database.close();
  await created.drop();
  await service.close();
});

/** How many pages there are of this round. */
const countPages = () =>
  database.rows(`select count(*)::integer as pages from pages where starts_with(source_ref, $1)`, [`hn:${round}-`]);

const killAfterMs = selectByDepth([null, 0, 20, 50, 100, 200, 400, 800], [100]);

test.each(killAfterMs.map((ms) => [ms]))(
  'a server that is killed %s ms after the items arrived, or before them, loses no page and stores none twice',
  async (ms) => {
    round += 1;
    service.expectRequest();
    await database.rows('update recipe_installs set next_at = now() where id = $1', [install_id]);
    const response = await service.awaitRequest();
    if (ms !== null) {
      response.end(buildStories());
      await sleep(ms); // somewhere between the first batch of pages and the last one
    }
    await server.kill();
    const [stored] = await countPages();
    service.expectRequest();
    await endLeases(created.connectionString);
    server = await startServerProcess(settings, key);
    const [install] = await database.rows('select next_at <= now() as is_due from recipe_installs where id = $1', [
      install_id,
    ]);
    if (install?.['is_due']) (await service.awaitRequest()).end(buildStories());
    else expect(stored).toEqual({ pages: count });
    await expect.poll(countPages, { timeout: 20_000 }).toEqual([{ pages: count }]);
    const { installs } = await server.ok('list_recipe_installs');
    expect(installs).toMatchObject([{ state: 'active', failure: null }]);
  },
  60_000,
);
