import type { Db } from '#kernel/database';
import { endLinksOfKeys, endLinksOfPerson } from './store/links.ts';
import { deleteVariablesOfPerson } from './store/variables.ts';

/** Deletes a person's own variables, and ends the links with which others set values. */
export async function endVariablesOfPerson(db: Db, personId: string): Promise<void> {
  await deleteVariablesOfPerson(db, personId);
  await endLinksOfPerson(db, personId);
}

/** Ends the links that keys created. */
export async function endVariablesOfKeys(db: Db, keyIds: readonly string[]): Promise<{ variable_links: number }> {
  return { variable_links: await endLinksOfKeys(db, keyIds) };
}
