import { createApiClient } from '#emulators/google/api-client';
import type { GoogleEmulator } from '#emulators/google/index';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkGoogle, startServerWithGoogle } from '../../../tests/support/google.ts';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import type { TestServer } from '../../../tests/support/server.ts';
import { runSync, startSync } from '../../../tests/support/syncs.ts';

const ada = 'ada@example.com';

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: ada, name: 'Ada Lovelace' });
  await linkGoogle(server, google);
});
afterAll(() => close());

const listRunStatuses = async (automation_id: string) =>
  (await server.ok('list_automation_runs', { automation_id })).runs.map(({ status }) => status);

test('an automation after pages of gmail starts after a mail of gmail:ada@example.com, and not when one is removed', async () => {
  const save = async (source: string | undefined) => {
    const triggers = [{ kind: 'page_ingested', ...(source && { source }) }];
    const given = {
      name: `After ${source}`,
      source: 'return args.trigger',
      triggers,
      tool_grants: [{ tool: 'add_memory' }],
    };
    const { automation_id } = await server.ok('save_automation_draft', given);
    await server.ok('update_automation', { automation_id, state: 'active' });
    return automation_id;
  };
  const [any, gmail, address, other, half] = await Promise.all(
    [undefined, 'gmail', `gmail:${ada}`, 'calendar', 'gmail:ada'].map(save),
  );
  const own = createApiClient(google, ada, ['https://mail.google.com/']);
  const { id } = google.seedMail(ada, { from: 'grace@navy.example', subject: 'Tides', text: 'High at noon.' });
  const sync = await startSync(server, { source: 'gmail' });
  await waitUntilQuiet();
  const runs = async () => Promise.all([any, gmail, address, other, half].map((each) => listRunStatuses(each!)));
  const expected = [['succeeded'], ['succeeded'], ['succeeded'], [], []];
  expect(await runs()).toEqual(expected);

  await own('DELETE', `/gmail/v1/users/me/messages/${id}`);
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1 });
  await waitUntilQuiet();
  expect(await runs()).toEqual(expected);
});

test("a fetch in verify_mode says so, and a person's fetch does not", async () => {
  const fetched = { source: 'gmail', input: { query: 'subject:tides' } };
  const source = `return await brains.fetch_from_integration(${JSON.stringify(fetched)})`;
  const tool_grants = [{ tool: 'fetch_from_integration' }];
  const given = { name: 'Fetches', source, triggers: [{ kind: 'manual' }], tool_grants };
  const { automation_id } = await server.ok('save_automation_draft', given);
  const { run_id } = await server.ok('run_automation_once', { automation_id, dry_run: false, verify_mode: true });
  const { result } = await server.ok('get_automation_run', { run_id });
  expect(result).toMatchObject({ source: 'gmail', verify_mode: true });
  expect(await server.ok('fetch_from_integration', fetched)).not.toHaveProperty('verify_mode');
});

/** Waits until no event of automations and no run is left. */
async function waitUntilQuiet(): Promise<void> {
  const database = await openAsOwner(server.connectionString);
  const left = async () =>
    (
      await database.rows(`select ((select count(*) from jobs.job where name like 'automations.%' and state < 'completed')
        + (select count(*) from automation_runs where status in ('queued', 'running')))::int as left`)
    )[0]?.['left'];
  await expect.poll(left, { timeout: 20_000 }).toBe(0);
  await database.close();
}
