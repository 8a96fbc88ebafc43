import type { Action } from '#kernel/action';
import type { Db } from '#kernel/database';
import type { DraftRow } from '../store/drafts.ts';
import type { TargetSnapshot } from '../drafting/target-snapshot.ts';
import { currentPolicy } from '../store/policies.ts';
import { judge, type Subject, type Verdict } from './judge.ts';

/** The workspace policy's present answer, and its version. */
export type Ruling = Verdict & { version: number };

/** Asks the present policy. */
export async function askPolicy(db: Db, subject: Subject): Promise<Ruling> {
  const policy = await currentPolicy(db);
  return { ...judge(policy, subject), version: policy.version };
}

/** The policy's subject for an action with this payload, and with the provider's data about it. */
export function subjectOf(
  action: Action,
  payload: Record<string, unknown>,
  by: Pick<Subject, 'account' | 'caller' | 'ownRules'>,
  target: TargetSnapshot | null,
): Subject {
  const { recipients, what, reachesOthers, otherNames } = action.target(payload);
  const isKnown = target !== null && target.missing === null;
  const people = target?.people?.flatMap(({ addresses }) => addresses);
  return {
    ...kindOf(action),
    ...by,
    what,
    recipients: [...new Set([...recipients, ...(people ?? [])])],
    names: target?.names ?? [],
    ...(reachesOthers && !people && { reachesOthers }),
    ...(otherNames !== undefined && !isKnown && { otherNames }),
  };
}

/** An action before its target is known. */
export type Kind = Pick<Action, 'source' | 'name' | 'risk' | 'requiresConfirmation'>;

/** The policy's subject for an action before its recipients are known. */
export function kindOf({ source, name, risk, requiresConfirmation }: Kind) {
  return { source, action: name, risk, isSafe: !requiresConfirmation };
}

/** The policy's subject for reading a source. */
export function readingOf(source: string, by: Pick<Subject, 'account' | 'caller' | 'ownRules'>): Subject {
  return { source, action: 'read', risk: 'read', isSafe: false, ...by, recipients: [], what: 'reading' };
}

/**
 * The policy's subject for an existing draft, or for its content after an edit: it stays that of the draft's author.
 */
export function subjectOfDraft(
  action: Action,
  draft: Pick<DraftRow, 'account' | 'drafted_by_kind' | 'own_rules' | 'payload' | 'target'>,
  payload = draft.payload,
): Subject {
  const { account, drafted_by_kind, own_rules: ownRules, target } = draft;
  return subjectOf(action, payload, { account, caller: drafted_by_kind ?? 'session', ownRules }, target);
}
