export { type Host, type Result } from './run-in-child.ts';
export { SandboxUnavailable } from './deno.ts';
export { createSandbox, languages, type Language, type Sandbox, type SandboxRun, type SandboxTurn } from './sandbox.ts';
export { buildCalendarResults, buildSearchResults, listNearNames, scriptNames } from './inside/brains-sdk.ts';
