// Checks the grants of an automation when it is saved.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { Grant } from '#kernel/grants';
import type { Operation } from '#kernel/operation';
import { agentScopes } from '#kernel/scopes';
import { isReadsParam } from '#kernel/declared-reads';
import { checkDeclaredReads } from '#modules/variables';

export type FindOperation = (name: string) => Operation | undefined;

/** Grants under the names of their operations: scripts call some of them by short names. */
export function resolveGrantNames(grants: readonly Grant[], find: FindOperation): Grant[] {
  return grants.map((grant) => ({ ...grant, tool: find(grant.tool)?.name ?? grant.tool }));
}

/** Throws `invalid_input` for a tool that no automation may call, or for `http_fetch` without acknowledged hosts. */
export function checkGrants(grants: readonly Grant[], hosts: readonly string[], find: FindOperation): void {
  for (const { tool, params } of grants) {
    const operation = find(tool);
    if (tool.startsWith('admin_') || (operation && !isGrantable(operation)))
      throw new AppError('invalid_input', `tool_grants: no automation may call ${tool}. A person does that.`);
    if (!operation)
      throw new AppError('invalid_input', `tool_grants: there is no tool ${tool}. The SDK lists the tools.`);
    const unknown = Object.keys(params ?? {}).find((name) => !isParam(operation, name));
    if (unknown !== undefined)
      throw new AppError(
        'invalid_input',
        `tool_grants: ${tool} has no input ${unknown}, so the grant would not limit it.`,
      );
    const named = params?.['hosts'];
    const missing = Array.isArray(named) ? named.filter((host) => !hosts.includes(String(host))) : [];
    if (tool === 'http_fetch' && (!hosts.length || missing.length)) {
      const which = missing.length ? `, ${missing.join(', ')} among them` : '';
      throw new AppError(
        'invalid_input',
        `acknowledged_http_fetch_hosts: list the hosts (without scheme or path) that http_fetch may reach${which}.`,
      );
    }
    for (const [name, lines] of Object.entries(params ?? {}))
      if (isReadsParam(tool, name)) checkDeclaredReads(lines, Array.isArray(named) ? named.map(String) : hosts);
  }
}

function isParam({ name: tool, input: { shape }, findHost }: Operation, name: string): boolean {
  return name in shape || isReadsParam(tool, name) || (name === 'hosts' && findHost !== undefined);
}

function isGrantable({ name, access }: Operation): boolean {
  return name === 'confirm_action' || agentScopes.includes(access.scope);
}

/** Throws unless the caller owns the automation. It acts in its owner's name, so administrators are refused, too. */
export function checkIsOwner({ caller }: Pick<Context, 'caller'>, { person_id }: { person_id: string }): void {
  if (person_id === caller.personId) return;
  throw new AppError('forbidden', 'This automation acts in the name of another person. You can pause or delete it.');
}

/** Throws unless the caller is a person or an agent: code of a run cannot start another run. */
export function checkStartsRuns({ caller }: Pick<Context, 'caller'>): void {
  if (caller.run) throw new AppError('forbidden', 'A run of an automation cannot start another run.');
}
