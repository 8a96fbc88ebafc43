import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export type Effect = 'allow' | 'require_approval' | 'require_human' | 'block';
export type Risk = 'read' | 'write' | 'destructive';

/** One rule; what it does not name, it does not ask for. */
export type Rule = {
  effect: Effect;
  note?: string;
  sources?: string[];
  actions?: string[];
  risks?: Risk[];
  is_safe?: true;
  account?: string;
  callers?: string[];
  every_recipient?: string;
  any_recipient?: string;
  more_recipients_than?: number;
  target?: string;
};

export type NamedAction = { source: string; action: string; summary: string; risk: Risk };

/** An action that agents do without asking: always, or for some recipients, targets or accounts. */
export type Unasked = { source: string; action: string; when: 'always' | 'sometimes' };

export type Policy = {
  version: number;
  rules: Rule[];
  floor: Rule[];
  defaults: Rule[];
  actions: NamedAction[];
  unasked: Unasked[];
  changed_at: string | null;
};

export type Verdict = {
  effect: Effect;
  from: 'rules' | 'floor' | 'key' | 'defaults';
  position: number;
  rule: Rule;
  reason: string;
};

export const policyQuery = queryOptions({
  queryKey: ['actions', 'policy'],
  queryFn: ({ signal }) => call<Policy>('get_policy', {}, { signal }),
});

/** Rules as they are being written, before they are saved. */
export type Written = { rules: Rule[]; floor: Rule[] };

export function savePolicy(written: Partial<Written> & { version: number }): Promise<Policy> {
  return call('set_policy', written);
}

/** The policy as it would be with these rules; nothing is changed. */
export function foreseePolicy(written: Partial<Written> & { version: number }): Promise<Policy> {
  return call('set_policy', { ...written, dry_run: true });
}

export type Trial = Written & {
  source: string;
  action: string;
  caller: string;
  recipients: string[];
  target?: string;
};

/** What rules would answer to an action that reaches these people, and touches this. Nothing is drafted. */
export function tryPolicy(trial: Trial): Promise<Verdict> {
  return call('explain_policy', trial);
}
