import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';
import { createFileAddress } from '../../api/save-file.ts';

export type RecipeSummary = Output<'list_starter_recipes'>['recipes'][number];
export type RecipeKind = RecipeSummary['kind'];
export type Recipe = Output<'get_starter_recipe'>['recipe'];
export type Plan = Output<'plan_recipe'>;
export type AppliedRecipe = Output<'apply_starter_recipe'>;
export type InstallRequest = Pick<
  Input<'apply_starter_recipe'>,
  'slug' | 'brain_id' | 'inputs' | 'overrides' | 'account'
>;

/** The queries that an install changes. */
export const installRefreshes = ['recipes', 'boards', 'automations', 'workflows', 'pages'];

export function buildRecipesQuery({ kind, search }: { kind?: RecipeKind | undefined; search?: string | undefined }) {
  return queryOptions({
    queryKey: ['recipes', 'list', kind, search],
    queryFn: async ({ signal }) =>
      (await call('list_starter_recipes', { limit: 100, ...(kind && { kind }), ...(search && { search }) }, { signal }))
        .recipes,
  });
}

export function buildRecipeQuery(slug: string) {
  return queryOptions({
    queryKey: ['recipes', 'one', slug],
    queryFn: async ({ signal }) => (await call('get_starter_recipe', { slug }, { signal })).recipe,
  });
}

/** What installing a recipe in a brain would do; in the home brain without one. */
export function buildPlanQuery({ slug, brain_id }: InstallRequest) {
  return queryOptions({
    queryKey: ['recipes', 'plan', slug, brain_id],
    queryFn: ({ signal }) => call('plan_recipe', { ...(slug && { slug }), ...(brain_id && { brain_id }) }, { signal }),
  });
}

export function applyRecipe(request: InstallRequest) {
  return call('apply_starter_recipe', request);
}

export function publishRecipe(given: Input<'publish_recipe_version'>) {
  return call('publish_recipe_version', given);
}

/** Stores a secret of the person, for these hosts only. */
export function setSecret(given: { name: string; description: string; value: string; hosts: string[] }) {
  const { name, ...rest } = given;
  return call('set_variable', { var_scope: 'person', var_name: name, ...rest });
}

export type Install = Output<'list_recipe_installs'>['installs'][number];
export type UninstalledEntity = Output<'list_uninstalled'>[number];

export const installsQuery = queryOptions({
  queryKey: ['recipes', 'installs'],
  queryFn: async ({ signal }) => (await call('list_recipe_installs', { limit: 200 }, { signal })).installs,
});

export const uninstalledQuery = queryOptions({
  queryKey: ['recipes', 'uninstalled'],
  queryFn: ({ signal }) => call('list_uninstalled', {}, { signal }),
});

export type UpgradeOptions = { force: boolean; inputs: Record<string, string | number | boolean> };

export function buildUpgradeQuery({ entity_id, entity_kind }: Install, options: UpgradeOptions) {
  return queryOptions({
    queryKey: ['recipes', 'upgrade', entity_id, options],
    queryFn: ({ signal }) => call('check_recipe_upgrade', { entity_id, entity_kind, ...options }, { signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** Upgrades exactly what was shown. */
export function upgradeInstall(
  { entity_id, entity_kind }: Install,
  { seen, ...options }: UpgradeOptions & { seen: string | undefined },
) {
  return call('upgrade_recipe', { entity_id, entity_kind, ...options, ...(seen !== undefined && { seen }) });
}

export function uninstall(entityId: string) {
  return call('uninstall_recipe', { entity_id: entityId });
}

export function recoverInstall(entityId: string) {
  return call('recover_recipe', { entity_id: entityId });
}

export function runInstall(installId: string) {
  return call('run_recipe_install', { install_id: installId });
}

export function setInstallState(installId: string, state: 'active' | 'paused') {
  return call('update_recipe_install', { install_id: installId, state });
}

/** The address of the picture of a recipe, for this browser, once. */
export function buildPreviewQuery(slug: string) {
  return queryOptions({
    queryKey: ['recipe-previews', slug],
    queryFn: () => createFileAddress(`/v1/recipes/${slug}/preview`),
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** The accounts that are linked for a source and work. */
export function buildAccountsQuery(source: string | undefined) {
  return queryOptions({
    queryKey: ['integrations', 'accounts', source],
    queryFn: async ({ signal }) => {
      const { integrations } = await call('list_integrations', {}, { signal });
      const accounts = integrations.find(({ name }) => name === source)?.accounts ?? [];
      return accounts.filter(({ status }) => status === 'active');
    },
    enabled: source !== undefined,
  });
}
