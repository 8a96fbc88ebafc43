// Describes the possible actions of linked accounts as pages that agents can search. The pages are computed for each
// query, never stored.
import type { Action } from '#kernel/action';
import type { Context } from '#kernel/context';
import { createPolicyForecaster, type ActionRegistry } from '#modules/policy';
import { listMissingAccountScopes } from '#modules/connections';
import type { DiscoveredAction } from '#modules/pages';
import { z } from 'zod';
import {
  listAccountsBySource,
  listCapabilityScopes,
  type AccountOfSource,
  type SourceNeeds,
} from './linked-accounts.ts';

/**
 * Makes the function that finds the caller's possible actions: each action for each account with the needed
 * permissions.
 */
export function createDiscoverActions(registry: ActionRegistry, sources: readonly SourceNeeds[]) {
  const described = new Map<Action, unknown>();

  function buildSchema(action: Action): Record<string, unknown> {
    if (!described.has(action)) described.set(action, z.toJSONSchema(action.payload, { io: 'input' }));
    return described.get(action) as Record<string, unknown>;
  }

  return async (ctx: Context): Promise<DiscoveredAction[]> => {
    if (!ctx.caller.scopes.has('integrations:read')) return [];
    const accounts = await listAccountsBySource(ctx, sources);
    const foreseen = await createPolicyForecaster(ctx);
    return sources.flatMap((source) => {
      const usable = (accounts.get(source.name) ?? []).filter(({ status }) => status === 'active');
      const actions = registry.all().filter((action) => action.source === source.name);
      return actions.flatMap((action) =>
        usable
          .filter((account) => mayUse(action, source, account))
          .flatMap(({ row }) => buildPage(source, action, row)),
      );

      function buildPage(
        { label }: SourceNeeds,
        action: Action,
        { id, account, connected_at: since }: AccountOfSource['row'],
      ): DiscoveredAction[] {
        const { isBlocked, requiresConfirmation } = foreseen(action, account);
        if (isBlocked) return [];
        const page = {
          slug: buildActionSlug(id, action),
          since,
          title: `${action.summary.replace(/\.$/, '')} (${label}, ${account})`,
          body: formatActionBody(action, label, account),
          fields: {
            install_id: id,
            action_name: action.name,
            source: action.source,
            account,
            risk: action.risk,
            input_schema: buildSchema(action),
            requires_confirmation: requiresConfirmation,
            examples: [action.example],
          },
        };
        return [page];
      }
    });
  };
}

function mayUse(action: Action, source: SourceNeeds, { row }: AccountOfSource): boolean {
  return listMissingAccountScopes(row, action.scopes ?? listCapabilityScopes(source, 'act')).length === 0;
}

/** Contract item BI-035: the page names the account and the action. */
function buildActionSlug(installId: string, { name }: Action): string {
  return `integration_action-${installId}-${name}`;
}

function formatActionBody(action: Action, label: string, account: string): string {
  const { summary, name, payload, editable, undo } = action;
  const fields = Object.keys(payload.shape).join(', ');
  const lines = [
    `${summary} Through ${account} at ${label}.`,
    `Draft it with act_on_integration: action_name ${name}, and input with ${fields}.`,
    `A person can change ${editable.join(', ') || 'nothing'} before approval.`,
    undo ? `It can be undone for ${undo.forMinutes} minutes: ${undo.says.toLowerCase()}.` : '',
  ];
  return lines.filter(Boolean).join('\n\n');
}
