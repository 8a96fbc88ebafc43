// Which endpoints a person accepted as read by POST. An agent or a key accepts none, whatever it activates.
import { isDeepStrictEqual } from 'node:util';
import { isAtConsole } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { intersectReads, listReads, type DeclaredRead } from '#kernel/declared-reads';
import type { AcceptedReads, AutomationRow, WantedFields } from '../store/tables.ts';

type ReadsOf = Pick<AutomationRow, 'activated' | 'settings'>;

/** The endpoints at which a version may read by POST: those that a person accepted for it, with its present values. */
export function listAcceptedReads({ activated, settings }: ReadsOf, versionId: string): readonly DeclaredRead[] {
  const reads = activated?.reads;
  return reads?.version_id === versionId && isDeepStrictEqual(reads.values, settings) ? reads.lines : [];
}

/**
 * The accepted endpoints once a change is made. A person at the console who activates, or changes the grants, accepts
 * what is declared then; one who changes the source keeps what was accepted. Everybody else changes nothing, so that
 * another version posts nothing unasked.
 */
export function computeAcceptedReads(
  { caller, face }: Pick<Context, 'caller' | 'face'>,
  before: AutomationRow,
  after: AutomationRow,
  wanted: WantedFields & { state?: string | undefined },
): AcceptedReads | undefined {
  if (!isAtConsole(caller) || face !== 'console') return before.activated?.reads;
  const declared = after.tool_grants.flatMap(listReads);
  const isShown = wanted.state === 'active' || wanted.tool_grants !== undefined;
  const isNewVersion = after.active_version_id !== before.active_version_id;
  if (!isShown && !isNewVersion && !wanted.settings) return before.activated?.reads;
  const earlier = isNewVersion
    ? (before.activated?.reads?.lines ?? [])
    : listAcceptedReads(before, before.active_version_id);
  const lines = isShown ? declared : intersectReads(declared, earlier);
  return lines.length ? { version_id: after.active_version_id, values: after.settings, lines } : undefined;
}
