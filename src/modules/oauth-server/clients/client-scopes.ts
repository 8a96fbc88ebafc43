import type { Caller } from '#kernel/caller';
import { agentScopes, listRoleScopes, type Scope } from '#kernel/scopes';

/** Scopes that a connected client never gets: with these it would act for its person, or give others access. */
const neverForClients: readonly Scope[] = [
  'actions:confirm',
  'keys:read',
  'keys:write',
  'sign_in_links:create',
  'policy:write',
  'approvers:read',
  'approvers:write',
  'automations:activate',
];

type Role = Caller['role'];

/** The scopes that a person of this role can allow a client. */
export function listGrantableScopes(role: Role): Scope[] {
  return listRoleScopes(role).filter((scope) => !neverForClients.includes(scope));
}

/** The preselected scopes of the consent page: the same as for a key of an agent. */
export function listUsualScopes(role: Role): Scope[] {
  return listGrantableScopes(role).filter((scope) => agentScopes.includes(scope));
}

/**
 * Offered on every consent page, and never preselected: a client's hooks store conversations with the client's own
 * token, and cannot request the scope by name. It only adds to the person's own memory.
 */
const additional: readonly Scope[] = ['sessions:capture'];

/** The additional scopes that a person of this role can allow. */
export function listAdditionalScopes(role: Role): Scope[] {
  return listGrantableScopes(role).filter((scope) => additional.includes(scope));
}

/** Step-up scopes: offered only when the client names them. Each can change what others see, or delete. */
export function listStepUpScopes(role: Role, asked: readonly string[]): Scope[] {
  return listGrantableScopes(role).filter(
    (scope) => !agentScopes.includes(scope) && !additional.includes(scope) && asked.includes(scope),
  );
}

/** The possible scopes of a client, the usual ones first. */
export const offeredScopes: readonly Scope[] = [
  ...listUsualScopes('owner'),
  ...listGrantableScopes('owner').filter((scope) => !agentScopes.includes(scope)),
];

/** The smallest useful set: a client without a token is advised to request it. */
export const smallestScope: Scope = 'memory:read';

/** Whether any client can be allowed it: for other scopes, another request would be useless. */
export function isGrantable(scope: Scope): boolean {
  return offeredScopes.includes(scope);
}
