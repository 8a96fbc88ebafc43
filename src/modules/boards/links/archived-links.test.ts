import { expect, test } from 'vitest';
import { buildArchive, buildLine, importText } from '../../../../tests/support/archive-text.ts';
import { startTestServer } from '../../../../tests/support/server.ts';
import { share } from '../../../../tests/support/share.ts';

const server = share(() => startTestServer());
const time = '2026-01-01T00:00:00Z';
const id = '019b0000-0000-7000-8000-000000000001';

test('a link that read through an account arrives without it and reads nothing, and a schedule waits for a person', async () => {
  const board = { id, name: 'Moved', description: '', skills: [], dashboard: {}, links: [], created_by: 'somebody' };
  const target = {
    kind: 'github',
    ref: { owner: 'ada', repo: 'vault' },
    display_name: 'Vault',
    created_by: 'somebody',
  };
  const link = { id, board_id: id, ...target, created_at: time };
  const keys = { dedupe_key_field: 'id', dedupe_target_field: null };
  const what = { dataset: 'prs', adapter_op: 'github.list_open_prs', params: {}, refresh_cron: '0 * * * *', ...keys };
  const recipe = { id, link_id: id, board_id: id, ...what, created_at: time };
  const send = (provider: string | null, changed: object = {}) => {
    const lines = [
      buildLine({ ...board, created_at: time, updated_at: time }, 'board'),
      buildLine({ ...link, integration_provider: provider }, 'board_link'),
      buildLine({ ...recipe, ...changed }, 'dataset_recipe'),
    ];
    return importText(server, buildArchive(lines));
  };
  expect((await send(null, { refresh_cron: 'each hour' })).status).toBe(422);
  const readLink = async ({ body }: Awaited<ReturnType<typeof send>>) => {
    const brain_id = String((body['brain_ids'] as string[])[0]);
    return (await server.ok('get_board', { name: 'Moved', brain_id })).links[0];
  };
  const alone = await readLink(await send('github'));
  expect(alone).toMatchObject({ integration_provider: 'github', needs_account: true, integration_user_id: null });
  expect(alone?.recipes).toMatchObject([
    { status: 'stopped', next_at: null, failure: expect.stringContaining('import') },
  ]);
  const refused = await server.call('refresh_dataset_recipe', { recipe_id: alone?.recipes[0]?.id });
  expect(refused.body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('without its account') });
  expect((await readLink(await send(null)))?.recipes).toMatchObject([{ status: 'stopped', next_at: null }]);
});
