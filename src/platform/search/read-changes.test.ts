import { Pool } from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/support/postgres.ts';
import { isSameMoment, readMoment } from './moments.ts';

test('a moment is current until another transaction commits', async () => {
  const database = await createTestDatabase();
  const pool = new Pool({ ...database.connection, max: 2 }).on('error', () => {});
  const writer = await pool.connect();
  try {
    await writer.query('create table notes (id int); begin; insert into notes values (1)');
    // Other databases of the server have transactions too, so one may end during the first attempt.
    let moment = await readMoment(pool);
    const isOfNow = async () => isSameMoment(moment, await readMoment(pool));
    const isLeftInPeace = async () => {
      moment = await readMoment(pool);
      return isOfNow();
    };
    await expect.poll(isLeftInPeace, { interval: 5, timeout: 20_000 }).toBe(true);
    await writer.query('commit');
    expect(await isOfNow()).toBe(false);
  } finally {
    writer.release();
    await pool.end();
    await database.drop();
  }
});
