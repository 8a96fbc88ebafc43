import type { Action } from '#kernel/action';
import type { Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import type { Rule } from '#kernel/rule';
import { readPolicy } from './store.ts';
import { judge, type Subject, type RuleVerdict } from './judge.ts';

/** The workspace policy's present answer, and its version. */
export type Ruling = RuleVerdict & { version: number };

/** Asks the present policy. */
export async function askPolicy(db: Db, subject: Subject): Promise<Ruling> {
  const policy = await readPolicy(db);
  return { ...judge(policy, subject), version: policy.version };
}

/** The facts that the policy uses from the provider's answer about a target. `missing`: why there is none. */
export type TargetFacts = {
  names: readonly string[];
  people: readonly { addresses: readonly string[] }[] | null;
  missing: string | null;
};

type PolicyActor = Pick<Subject, 'account' | 'caller' | 'ownRules' | 'starter'>;

/** The caller, for the policy. */
export function readActor(caller: Pick<Caller, 'kind' | 'ownRules' | 'run'>) {
  return { caller: caller.kind, ownRules: caller.ownRules, starter: caller.run?.starter };
}

/**
 * The policy's subject for an action with this payload as it will leave: with the values of secrets where the target
 * depends on them, and with the provider's data about it.
 */
export async function buildSubject(
  db: Db,
  action: Action,
  payload: Record<string, unknown>,
  by: PolicyActor,
  target: TargetFacts | null,
): Promise<Subject> {
  return buildSubjectAsWritten(action, (await action.fill?.(db, payload)) ?? payload, by, target);
}

/** Like `subjectOf`, for callers who must not learn secret values: any text may stand for one. */
export function buildSubjectAsWritten(
  action: Action,
  payload: Record<string, unknown>,
  by: PolicyActor,
  target: TargetFacts | null,
): Subject {
  const { recipients, what, readings, reachesOthers, otherNames } = action.target(payload);
  const isKnown = target !== null && target.missing === null;
  const people = target?.people?.flatMap(({ addresses }) => addresses);
  return {
    ...readActionKind(action),
    ...by,
    what,
    ...(readings && { readings }),
    recipients: [...new Set([...recipients, ...(people ?? [])])],
    names: target?.names ?? [],
    ...(reachesOthers && !people && { reachesOthers }),
    ...(otherNames !== undefined && !isKnown && { otherNames }),
  };
}

/** An action before its target is known. */
export type ActionKind = Pick<Action, 'source' | 'name' | 'risk' | 'requiresConfirmation'>;

/** The policy's subject for an action before its recipients are known. */
export function readActionKind({ source, name, risk, requiresConfirmation }: ActionKind) {
  return { source, action: name, risk, isSafe: !requiresConfirmation };
}

/** The policy's subject for reading a source; `targets`: the address that is read, in every reading, if it is one. */
export function buildReadSubject(source: string, by: PolicyActor, targets?: readonly string[]): Subject {
  const subject = {
    source,
    action: 'read',
    risk: 'read' as const,
    isSafe: false,
    ...by,
    recipients: [],
    what: 'reading',
  };
  return targets ? { ...subject, readings: targets, names: [subject.what] } : subject;
}

/** The fields of a draft that the policy uses. */
export type DraftFacts = {
  account: string;
  drafted_by_kind: Caller['kind'] | null;
  starter_kind: Caller['kind'] | null;
  own_rules: readonly Rule[];
  payload: Record<string, unknown>;
  target: TargetFacts | null;
};

/**
 * The policy's subject for an existing draft, or for its content after an edit; the subject's caller stays the author
 * of the draft.
 */
export function buildDraftSubject(
  db: Db,
  action: Action,
  draft: DraftFacts,
  payload = draft.payload,
): Promise<Subject> {
  return buildSubject(db, action, payload, getDraftAuthor(draft), draft.target);
}

/** Like `subjectOfDraft`, for callers who must not learn secret values. */
export function buildDraftSubjectAsWritten(action: Action, draft: DraftFacts, payload = draft.payload): Subject {
  return buildSubjectAsWritten(action, payload, getDraftAuthor(draft), draft.target);
}

function getDraftAuthor({
  account,
  drafted_by_kind,
  starter_kind: starter,
  own_rules: ownRules,
}: DraftFacts): PolicyActor {
  return { account, caller: drafted_by_kind ?? 'session', starter, ownRules };
}
