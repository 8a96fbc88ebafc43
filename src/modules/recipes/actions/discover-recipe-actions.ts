// The actions of installs as pages that agents can search.
import type { Context } from '#kernel/context';
import { listReadableBrainIds } from '#modules/brains';
import type { DiscoveredAction } from '#modules/pages';
import { z } from 'zod';
import { defineDeclaredWrite } from '../manifest/recipe-action.ts';
import { listActingInstalls } from '../store/readings.ts';

/** Each action of each install in the brains of the caller. */
export async function discoverRecipeActions(ctx: Context): Promise<DiscoveredAction[]> {
  if (!ctx.caller.scopes.has('integrations:read') || !ctx.caller.scopes.has('recipes:read')) return [];
  const installs = await listActingInstalls(ctx.db, await listReadableBrainIds(ctx, undefined));
  return installs.flatMap((install) =>
    install.base.recipe.actions.map((declared): DiscoveredAction => {
      const { name, summary, editable, base_url, account = null } = declared;
      const { host } = new URL(base_url);
      const write = defineDeclaredWrite(declared);
      return {
        slug: `integration_action-${install.id}-${name}`,
        since: install.created_at,
        title: `${summary.replace(/\.$/, '')} (${install.name})`,
        body: [
          `${summary} At ${host}, by the recipe ${install.name}.`,
          `Draft it with act_on_integration: install_id ${install.id}, action_name ${name}, and input with ${Object.keys(write.payload.shape).join(', ')}.`,
          `A person can change ${editable.join(', ') || 'nothing'} before approval.`,
        ].join('\n\n'),
        fields: {
          install_id: install.id,
          action_name: name,
          source: 'recipes',
          account: account ?? host,
          risk: declared.risk,
          input_schema: z.toJSONSchema(write.payload, { io: 'input' }),
          requires_confirmation: true,
          examples: [declared.example],
        },
      };
    }),
  );
}
