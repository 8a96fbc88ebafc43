export { credentialHolders, resolveByChain } from './chain.ts';
export { type Answered } from './resolve-handles.ts';
export { hmacWithHandle, withSecretHandles } from './for-code.ts';
export { describeVariables, handlesInForce } from './in-force.ts';
export { linkPagesOf, type LinkPages, type LinkView } from './link-pages.ts';
export { endRunSecrets } from './tokens/run-secrets.ts';
export { variablesModule } from './module.ts';
export { playgroundOf, type Playground, type TrialResult } from './playground.ts';
export { knownProviders } from './providers.ts';
