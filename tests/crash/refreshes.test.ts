// A server is killed at each step of a refresh. The board has all old rows or all new ones, and another process refreshes it, once.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServiceAnsweredByHand, type ServiceAnsweredByHand } from '../support/answered-by-hand.ts';
import { selectByDepth } from '../support/depth.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { endLeases } from '../support/time-passes.ts';

const key = `cm_${'refreshkey'.repeat(4)}`;
const count = 3_000;

let round = 0;
let service: ServiceAnsweredByHand;
const buildList = () => JSON.stringify(Array.from({ length: count }, (_each, id) => ({ id, round })));

let server: ServerProcess;
let settings: Record<string, string>;
let database: OwnerDatabase;
let created: Awaited<ReturnType<typeof createTestDatabase>>;
let recipe_id: string;
let board_id: string;

beforeAll(async () => {
  service = await startServiceAnsweredByHand();
  const { url } = service;
  created = await createTestDatabase();
  settings = { ...buildServerSettings(created.connectionString), THALAMUS_EGRESS_ALLOW: url };
  server = await startServerProcess(settings, key);
  database = await openAsOwner(created.connectionString);
  board_id = String((await server.ok('create_board', { name: 'Killed' }))['board_id']);
  const target = { kind: 'http_json', ref: { url: `${url}/items` }, display_name: 'Items' };
  const { id: link_id } = await server.ok('create_board_link', { board_id, ...target });
  const filled = { dataset_name: 'items', adapter_op: 'http_json.list', dedupe_key_field: 'id' };
  const recipe = { link_id, ...filled, refresh_cron: '0 0 1 1 *' };
  recipe_id = String((await server.ok('create_dataset_recipe', recipe))['id']);
  (await service.awaitRequest()).end(buildList());
  while (!(await listRounds()).length) await sleep(50);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await database.close();
  await created.drop();
  await service.close();
});

/** How many rows there are of each round. */
const listRounds = () =>
  database.rows(
    `select fields ->> 'round' as round, count(*)::integer as rows from board_rows where board_id = $1 group by 1`,
    [board_id],
  );

const killAfterMs = selectByDepth([null, 0, 20, 50, 100, 200, 300, 500], [null]);

test.each(killAfterMs.map((ms) => [ms]))(
  'a server that is killed %s ms after the list arrived, or before it, stores all rows or none, and another one refreshes',
  async (ms) => {
    round += 1;
    service.expectRequest();
    await database.rows('update dataset_recipes set next_at = now() where id = $1', [recipe_id]);
    const response = await service.awaitRequest();
    if (ms !== null) {
      response.end(buildList());
      await sleep(ms);
    }
    await server.kill();
    const [only, ...others] = await listRounds();
    expect(others).toEqual([]);
    expect([String(round - 1), String(round)]).toContain(only?.['round']);
    expect(only?.['rows']).toBe(count);
    service.expectRequest();
    await endLeases(created.connectionString);
    server = await startServerProcess(settings, key);
    if (only?.['round'] !== String(round)) (await service.awaitRequest()).end(buildList());
    await expect.poll(() => listRounds(), { timeout: 20_000 }).toEqual([{ round: String(round), rows: count }]);
    const { links } = await server.ok('list_board_links', { board_id });
    expect(JSON.stringify(links)).toContain(`"rows":${count}`);
  },
  60_000,
);
