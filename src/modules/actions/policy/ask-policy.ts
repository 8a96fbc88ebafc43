import type { Action } from '#kernel/action';
import type { Db } from '#kernel/database';
import type { DraftRow } from '../store/drafts.ts';
import type { TargetSnapshot } from '../drafting/target-snapshot.ts';
import { currentPolicy } from '../store/policies.ts';
import { judge, type Subject, type Verdict } from './judge.ts';

/** What the workspace's policy answers now, and in which version. */
export type Ruling = Verdict & { version: number };

/** Asks the policy that holds now. */
export async function askPolicy(db: Db, subject: Subject): Promise<Ruling> {
  const policy = await currentPolicy(db);
  return { ...judge(policy, subject), version: policy.version };
}

/** What the policy is asked about an action with this payload, and with what its provider knows of it. */
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

/** An action before it is known what it is about. */
export type Kind = Pick<Action, 'source' | 'name' | 'risk' | 'requiresConfirmation'>;

/** What of an action is known before it is known whom it goes to. */
export function kindOf({ source, name, risk, requiresConfirmation }: Kind) {
  return { source, action: name, risk, isSafe: !requiresConfirmation };
}

/** What the policy is asked about reading a source. */
export function readingOf(source: string, by: Pick<Subject, 'account' | 'caller' | 'ownRules'>): Subject {
  return { source, action: 'read', risk: 'read', isSafe: false, ...by, recipients: [], what: 'reading' };
}

/** What the policy is asked about a draft that is there, or about what an edit would make of it: it stays whoever's drafted it. */
export function subjectOfDraft(
  action: Action,
  draft: Pick<DraftRow, 'account' | 'drafted_by_kind' | 'own_rules' | 'payload' | 'target'>,
  payload = draft.payload,
): Subject {
  const { account, drafted_by_kind, own_rules: ownRules, target } = draft;
  return subjectOf(action, payload, { account, caller: drafted_by_kind ?? 'session', ownRules }, target);
}
