import { queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';

export type Effect = 'allow' | 'require_approval' | 'require_human' | 'block';
export type Risk = 'read' | 'write' | 'destructive';

/** One rule. An absent field matches anything. */
export type Rule = Policy['rules'][number];
export type CallerKind = NonNullable<Rule['callers']>[number];

export type NamedAction = Policy['actions'][number];

export type Policy = Output<'get_policy'>;

/** An action that agents do without asking: always, or for some recipients, targets or accounts. */
export type UnaskedAction = Policy['unasked'][number];

export type PolicyVerdict = Output<'explain_policy'>;

export const policyQuery = queryOptions({
  queryKey: ['actions', 'policy'],
  queryFn: ({ signal }) => call('get_policy', {}, { signal }),
});

/** Rules as they are being written, before they are saved. */
export type PolicyEdit = { rules: Rule[]; floor: Rule[] };

export function savePolicy(written: Partial<PolicyEdit> & { version: number }): Promise<Output<'set_policy'>> {
  return call('set_policy', written);
}

/** The policy as it would be with these rules; nothing is changed. */
export function previewPolicy(written: Partial<PolicyEdit> & { version: number }): Promise<Output<'set_policy'>> {
  return call('set_policy', { ...written, dry_run: true });
}

export type Trial = PolicyEdit & Input<'explain_policy'>;

/** Tests the rules with an action, its recipients and target. Nothing is drafted. */
export function tryPolicy(trial: Trial): Promise<Output<'explain_policy'>> {
  return call('explain_policy', trial);
}
