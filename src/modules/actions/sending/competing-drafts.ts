// When a provider stores no handle, the result is found by its fingerprint. Each competing draft gets a different
// result.
import { isDeepStrictEqual } from 'node:util';
import type { Action, CompetingItems } from '#kernel/action';
import type { Db } from '#kernel/database';
import { listCompetingDrafts, type DraftRow, type CompetingDraft } from '../store/drafts.ts';

/**
 * Whether this draft made the found item. `later`: a competing draft that is being sent may have made it. A text: why
 * the origin is unknown.
 */
export type Attribution = 'yes' | 'later' | { reason: string };

const unsure =
  'The provider has a similar item, but a competing draft is ambiguous, too. It is not known which of them made it.';

/** The items that competing drafts have made, and those that they cannot have made. */
export async function listCompetingItems(db: Db, { fingerprint }: Action, draft: DraftRow): Promise<CompetingItems> {
  if (!fingerprint) return { taken: [], seen: [] };
  const competing = await listCompetingDrafts(db, draft, { isHeld: false });
  return {
    taken: competing.flatMap(({ result }) => (result ? [fingerprint.getId(result)] : [])),
    seen: competing.flatMap(({ handle }) => (handle ? [fingerprint.seenBefore(handle)] : [])),
  };
}

/**
 * The origin of the found item. Checked in the transaction that stores the outcome, one draft after another, across all
 * server processes.
 */
export async function determineOrigin(
  db: Db,
  { fingerprint }: Action,
  draft: DraftRow,
  result: Record<string, unknown>,
): Promise<Attribution> {
  if (!fingerprint) return 'yes';
  const competing = await listCompetingDrafts(db, draft, { isHeld: true });
  const id = fingerprint.getId(result);
  if (competing.some((other) => other.result && fingerprint.getId(other.result) === id)) return 'later';
  const own = fingerprint.of(draft.payload, draft.handle ?? {});
  const alike = competing.filter(({ payload, handle }) => fingerprint.of(payload, handle ?? {}) === own);
  if (alike.some(({ status }) => status === 'confirming')) return 'later';
  // Of two equal items it does not matter which draft made which.
  const isOther = ({ status, payload }: CompetingDraft) =>
    status === 'ambiguous' && !isDeepStrictEqual(payload, draft.payload);
  return alike.some(isOther) ? { reason: unsure } : 'yes';
}
