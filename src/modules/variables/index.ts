export { variableChanged } from './events.ts';
export { credentialHolders, resolveByChain } from './chain.ts';

export { openAllowedVariables, resolveHandles, type Answered } from './resolve-handles.ts';
export {
  findHandle,
  hasVariable,
  hmacAsked,
  hmacWithHandle,
  hmacWithPlainKey,
  noticeOfNames,
  variableValue,
  withSecretHandles,
} from './for-code.ts';
export { bindNames, describeVariables, findLostBindings, handlesInForce, type NameBinding } from './in-force.ts';
export { isSigningKey } from './signing-key.ts';
export { linkPagesOf, type LinkPages, type LinkView } from './link-pages.ts';
export { endRunSecrets } from './tokens/run-secrets.ts';
export { variablesModule } from './module.ts';
export { playgroundOf, type Playground, type Trial, type TrialResult } from './playground.ts';
export { knownProviders } from './providers.ts';
