import type { Action } from '#kernel/action';
import type { Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { currentPolicy } from '../store/policies.ts';
import { judge, type Subject, type Verdict } from './judge.ts';

/** What the workspace's policy answers now, and in which version. */
export type Ruling = Verdict & { version: number };

/** Asks the policy that holds now. */
export async function askPolicy(db: Db, subject: Subject): Promise<Ruling> {
  const policy = await currentPolicy(db);
  return { ...judge(policy, subject), version: policy.version };
}

/** What the policy is asked about an action with this payload. */
export function subjectOf(
  action: Action,
  payload: Record<string, unknown>,
  by: { account: string | null; caller: Caller['kind'] },
): Subject {
  const { source, name, risk } = action;
  return { source, action: name, risk, ...by, ...action.target(payload) };
}
