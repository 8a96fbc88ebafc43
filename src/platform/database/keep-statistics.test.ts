import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/support/postgres.ts';
import { createKysely, createOwnerPool } from './connect.ts';
import { analyseGrown } from './keep-statistics.ts';

test('a table that grew is analysed once, even when two processes check at the same time', async () => {
  const { connection, drop } = await createTestDatabase();
  const db = createKysely<unknown>(createOwnerPool(connection));
  try {
    await db.connection().execute(async (session) => {
      await sql`create table grown with (autovacuum_enabled = false) as select n from generate_series(1, 5000) n`.execute(
        session,
      );
      await sql`select pg_stat_force_next_flush()`.execute(session);
    });
    const looks = await Promise.all([analyseGrown(db), analyseGrown(db)]);
    expect(looks.flat()).toEqual(['grown']);
    const { rows } = await sql`select reltuples from pg_class where relname = 'grown'`.execute(db);
    expect(rows).toEqual([{ reltuples: 5000 }]);
    expect(await analyseGrown(db)).toEqual([]);
  } finally {
    await db.destroy();
    await drop();
  }
});
