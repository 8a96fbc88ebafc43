// Lends variables of the publisher to installs: each named one, toward the host of its endpoint only.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { bindCallerNames } from '#modules/variables';
import { getEndpointHost } from '../manifest/reading-template.ts';
import { isReading, type Recipe } from '../manifest/recipe.ts';
import type { LentSecret } from '../store/tables.ts';

const placeholder = /\{\{\s*publisher\.([A-Za-z0-9_]{1,128})\s*\}\}/g;

/** The variables that a recipe names as {{publisher.NAME}}. Throws `invalid_input` for one that the publisher does not have. */
export async function bindLentSecrets(ctx: Context, recipe: Recipe): Promise<LentSecret[]> {
  const named = listNamedSecrets(recipe);
  if (!named.length) return [];
  const bindings = await bindCallerNames(ctx, (await ctx.brains()).homeBrainId);
  return named.map(({ name, host }) => {
    const binding = bindings.find((each) => each.name === name);
    if (binding) return { name, variable_id: binding.variable_id, host };
    throw new AppError('invalid_input', `{{publisher.${name}}}: you have no variable ${name}. Store it, then publish.`);
  });
}

/** Each secret that an endpoint or an action names as {{publisher.NAME}}, once for each host. */
export function listNamedSecrets(recipe: Recipe): { name: string; host: string }[] {
  const endpoints = recipe.kind === 'integration' && isReading(recipe.template) ? recipe.template.endpoints : [];
  const { actions = [] } = recipe; // recipes of earlier servers have none
  const places = [
    ...endpoints.map((endpoint) => ({ host: getEndpointHost(endpoint), text: endpoint })),
    ...actions.map(({ base_url, headers = {} }) => ({ host: new URL(base_url).host, text: headers })),
  ];
  const named = new Map<string, { name: string; host: string }>();
  for (const { host, text } of places)
    for (const [, name = ''] of JSON.stringify(text).matchAll(placeholder))
      named.set(`${name} ${host}`, { name, host });
  return [...named.values()];
}
