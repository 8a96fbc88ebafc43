// Determines which permissions a call by a connected client lacks, before it runs: the client can then ask its person
// for them.
import { listNeededScopes } from '#kernel/authorise';
import { canAskForScopes, type Caller } from '#kernel/caller';
import type { Catalogue } from '#kernel/catalogue';
import { listRoleScopes, type Scope } from '#kernel/scopes';
import { isGrantable } from '#modules/oauth-server';

/** All scopes that the call needs, when one is missing that the person could allow; otherwise none. */
export async function listMissingScopes(
  message: Request,
  caller: Caller,
  catalogue: Catalogue,
): Promise<readonly Scope[]> {
  if (!canAskForScopes(caller) || message.method !== 'POST') return [];
  const name = findOperationName(
    await message
      .clone()
      .json()
      .catch(() => null),
  );
  const operation = name === null ? undefined : catalogue.get(name);
  if (!operation) return [];
  const needed = listNeededScopes(operation);
  const missing = needed.filter((scope) => !caller.scopes.has(scope));
  const canAsk = (scope: Scope) => isGrantable(scope) && listRoleScopes(caller.role).includes(scope);
  return missing.length && missing.every(canAsk) ? needed : [];
}

/** The operation that a message calls, with its own tool or through `manage`. */
function findOperationName(message: unknown): string | null {
  const { method, params } = toFields(message);
  if (method !== 'tools/call') return null;
  const { name, arguments: input } = toFields(params);
  const called = name === 'manage' ? toFields(input)['action'] : name;
  return typeof called === 'string' ? called : null;
}

function toFields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
