import { listRuleNames } from '#kernel/check-rules';
import { defineModule, type Module } from '#kernel/module';
import type { Ground } from '#platform';
import type { DraftPolicy } from './draft-policy.ts';
import { policyChanged } from './events.ts';
import { explainPolicy } from './operations/explain-policy.ts';
import { getPolicy } from './operations/get-policy.ts';
import { setPolicy } from './operations/set-policy.ts';
import { getActionRegistry } from './registry.ts';

/** The rules of a workspace for reads and writes outside, and the actions that they name. */
export function createPolicyModule({
  createDraftPolicy,
}: {
  createDraftPolicy(ground: Ground): DraftPolicy;
}): Module<Ground> {
  return defineModule<Ground>({
    name: 'policy',
    events: [policyChanged],
    operations(ground) {
      const registry = getActionRegistry(ground);
      const drafts = createDraftPolicy(ground);
      return [
        getPolicy(registry),
        setPolicy(registry, listRuleNames(ground.modules), drafts),
        explainPolicy(registry, drafts),
      ];
    },
  });
}
