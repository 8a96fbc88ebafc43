// Whom confirmed drafts reached.
import { sql, type Kysely } from 'kysely';
import type { DraftRow } from './drafts.ts';

/** Those of some addresses that a confirmed draft of the workspace reached before. */
export async function findReached(
  db: Kysely<{ drafts: DraftRow }>,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!addresses.length) return new Set();
  const wanted = sql<string[]>`array[${sql.join(addresses)}]::text[]`;
  const rows = await db
    .selectNoFrom(sql<string>`unnest(${wanted})`.as('address'))
    .$call((inner) => db.selectFrom(inner.as('wanted')).select('address'))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('drafts')
          .select('id')
          .where('status', '=', 'confirmed')
          .where(sql<boolean>`reached <> '{}'`)
          .where(sql<boolean>`reached @> array[wanted.address]`),
      ),
    )
    .execute();
  return new Set(rows.map(({ address }) => address));
}
