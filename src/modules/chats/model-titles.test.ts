import { expect, test } from 'vitest';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import { startSmallModel } from '../../../tests/support/small-model.ts';
import { startTestServer } from '../../../tests/support/server.ts';

test('with a model, an idle conversation gets a better title, which stays when it continues', async () => {
  const model = await startSmallModel(() => ({ title: 'Ferry times', summary: 'The ferry leaves at noon.' }));
  const server = await startTestServer(model.settings);
  const database = await openAsOwner(server.connectionString);
  try {
    const said = { session_id: 's-1', role: 'user', content: 'Hello! When does the ferry leave?' };
    const { page_id } = await server.ok('ingest_chat_turn', said);
    const title = async () => (await server.ok('get_page', { id: page_id })).title;
    expect(await title()).not.toBe('Ferry times');
    const round = () => database.rows(`insert into jobs.job (name, retry_limit) values ('chats.titles', 0)`);
    await database.rows(`update chat_sessions set last_turn_at = last_turn_at - interval '10 minutes'`);
    await round();
    await expect.poll(title, { timeout: 10_000 }).toBe('Ferry times');
    expect(model.prompts[0]).toContain('When does the ferry leave?');
    await server.ok('ingest_chat_turn', { ...said, content: 'And on Sundays?' });
    expect(await title()).toBe('Ferry times');
  } finally {
    await database.close();
    await server.close();
    model.close();
  }
});
