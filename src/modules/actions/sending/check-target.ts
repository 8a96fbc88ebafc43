// Just before a draft is sent, its provider is asked about its target again.
import { isDeepStrictEqual } from 'node:util';
import type { Action, TargetSnapshot } from '#kernel/action';
import { isAsStrict } from '#kernel/rule';
import { askPolicy, buildDraftSubject } from '#modules/policy';
import { takeSnapshot, readTarget } from '../drafting/target-snapshot.ts';
import { reach, type GateDeps } from '../gate-deps.ts';
import type { DraftRow } from '../store/drafts.ts';
import { readLedger } from '../store/ledger.ts';

const hasChanged =
  'The target changed after this was drafted, and nothing was sent. Draft it again if you still want it.';
const needsMore =
  'The target could be looked up only now, and the policy requires a stricter approval than was given. Nothing was sent. Draft it again if you still want it.';

/**
 * Why a draft may not be sent after all: its target changed, or a stricter rule matches the new facts. Null: it may be
 * sent. Throws when the provider answered at drafting but does not answer now.
 */
export async function checkTarget(deps: GateDeps, draft: DraftRow, action: Action): Promise<string | null> {
  const { id, target: before, policy, payload, account, workspace_id } = draft;
  if (!before || action.needsSnapshot?.(payload) === false) return null;
  const now =
    before.missing === null
      ? await readTarget(action, reach(deps, draft), payload, account)
      : await takeSnapshot(deps, { ...draft, action });
  if (!now || now.missing !== null) return null;
  if (before.missing === null && hasMoved(before, now)) return hasChanged;
  const saysMore = before.missing !== null || (before.people === null && now.people !== null);
  if (!saysMore || !policy) return null;
  return deps.transactions.run(workspace_id, 'read', async (db) => {
    // No rule can require more than an approval on a person's own screen.
    const decided = (await readLedger(db, id)).findLast(({ step }) => step === 'decided');
    const given = decided?.detail['human_surface'] === true ? 'require_human' : policy.effect;
    const subject = await buildDraftSubject(db, action, { ...draft, target: now });
    return isAsStrict(given, (await askPolicy(db, subject)).effect) ? null : needsMore;
  });
}

/** Facts that were unknown at drafting, and additions of an edit, were not compared before and do not count. */
function hasMoved(before: TargetSnapshot, now: TargetSnapshot): boolean {
  const isRenamed = before.names.length > 0 && !isDeepStrictEqual(before.names, now.names);
  const reachesOthers = before.people !== null && !isDeepStrictEqual(before.people, now.people);
  const isOverwritten = Object.entries(before.overwrites).some(
    ([name, hash]) => name in now.overwrites && now.overwrites[name] !== hash,
  );
  return isRenamed || reachesOthers || isOverwritten;
}
