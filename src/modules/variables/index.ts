export { variableChanged } from './events.ts';
export { listCredentialHolders, resolveByChain } from './resolving/chain.ts';

export { openAllowedVariables, openVariables, resolveHandles, type UsedVariable } from './resolving/resolve-handles.ts';
export {
  findHandle,
  hasVariable,
  hmacAsked,
  computeHandleHmac,
  computePlainHmac,
  findNamesNotice,
  findVariableValue,
  withSecretHandles,
} from './resolving/code-variables.ts';
export {
  bindCallerNames,
  bindNames,
  describeVariables,
  findLostBindings,
  listMissingVariables,
  mapEffectiveHandles,
  type NameBinding,
} from './resolving/effective-variables.ts';
export { isSigningKey } from './signing-key.ts';
export { getLinkPages, type LinkPages, type LinkView } from './links/link-pages.ts';
export { boundVariable, type BoundVariable } from './bound-variable.ts';
export { findOutdatedReason, hasAgentText, previewFields } from './resolving/bound-variables.ts';
export {
  bindNamedVariables,
  bindVariablesById,
  openBoundSecrets,
  openChainSecrets,
} from './resolving/named-secrets.ts';
export { endRunSecrets } from './tokens/run-secrets.ts';
export { variablesModule } from './module.ts';
export { getPlayground, type Playground, type Trial, type TrialResult } from './links/playground.ts';
export { checkDeclaredReads, isDeclaredRead } from './requests/read-by-post.ts';
export { variableName } from './variable-fields.ts';
