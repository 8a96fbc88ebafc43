import { expect, test } from 'vitest';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import { createTestDatabase } from '../../../tests/support/postgres.ts';
import { migrate } from './index.ts';

test('a database that a newer version migrated is refused with the reason', async () => {
  const database = await createTestDatabase();
  const owner = await openAsOwner(database.connectionString);
  await owner.rows("insert into kysely_migration (name, timestamp) values ('9999-of-tomorrow', now())");
  await owner.close();
  await expect(migrate(database.connection)).rejects.toThrow(
    /does not fit this version of Thalamus: .*9999-of-tomorrow.* Start the version/,
  );
  await database.drop();
});
