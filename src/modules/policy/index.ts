export {
  askPolicy,
  buildDraftSubject,
  buildDraftSubjectAsWritten,
  buildReadSubject,
  buildSubject,
  readActor,
  type Ruling,
} from './ask-policy.ts';
export { checkRead, checkReadOfAny, checkSyncRead, mayRead, type ReadRuling } from './check-read.ts';
export { many } from './defaults.ts';
export { type DraftPolicy } from './draft-policy.ts';
export { policyChanged } from './events.ts';
export { createPolicyForecaster } from './forecast.ts';
export { isSameRule, judge, judgeByOwnRules, formatReason, type Policy, type RuleVerdict } from './judge.ts';
export { judgeAction } from './judge-action.ts';
export { createPolicyModule } from './module.ts';
export { extractAddress } from './pattern.ts';
export { createBlockedError, presentRuling, presentVerdict, verdictOutput } from './present.ts';
export { getActionRegistry, type ActionRegistry } from './registry.ts';
export { readPolicy } from './store.ts';
