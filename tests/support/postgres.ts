// A database of its own for every test file: a clone of the template that global-setup.ts migrated once for the run.
import { inject } from 'vitest';
import { cloneDatabase, type TestDatabase } from './databases.ts';

export { administer, type TestConnection } from './databases.ts';

/** Clones the migrated template, or another one. */
export function createTestDatabase(template?: string): Promise<TestDatabase> {
  return cloneDatabase(inject('postgres'), template);
}
