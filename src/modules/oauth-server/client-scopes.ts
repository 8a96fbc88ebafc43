import type { Caller } from '#kernel/caller';
import { agentScopes, scopesOf, type Scope } from '#kernel/scopes';

/** What a connected client never gets: with these it would answer for its person, or let others in. */
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

/** What a person of this role can allow a client at all. */
export function grantableScopes(role: Role): Scope[] {
  return scopesOf(role).filter((scope) => !neverForClients.includes(scope));
}

/** What is ticked on the consent page: the same as for a key of an agent. */
export function usualScopes(role: Role): Scope[] {
  return grantableScopes(role).filter((scope) => agentScopes.includes(scope));
}

/** What a person is asked about only when the client names it: each can change what others see, or destroy. */
export function stepUpScopes(role: Role, asked: readonly string[]): Scope[] {
  return grantableScopes(role).filter((scope) => !agentScopes.includes(scope) && asked.includes(scope));
}

/** The scopes that a client may ask for, those that it usually gets first. */
export const offeredScopes: readonly Scope[] = [
  ...usualScopes('owner'),
  ...grantableScopes('owner').filter((scope) => !agentScopes.includes(scope)),
];

/** The least that makes the server useful: what a client without a token is told to ask for. */
export const smallestScope: Scope = 'memory:read';

/** Whether some client can be allowed it: for the rest, asking again would be of no use. */
export function isGrantable(scope: Scope): boolean {
  return offeredScopes.includes(scope);
}
