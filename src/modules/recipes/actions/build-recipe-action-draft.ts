// Turns a call of an install's action into what the gate drafts.
import type { Action } from '#kernel/action';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { chooseAccount, loadAccountById } from '#modules/integrations';
import { bindNamedVariables, bindVariablesById, type BoundVariable } from '#modules/variables';
import { sources } from '#providers';
import type { RecipeAction } from '../manifest/recipe-action.ts';
import { findInstall, type ReadingRow } from '../store/readings.ts';
import { findPublished } from '../store/recipes.ts';
import { recipeAction } from './recipe-action.ts';

const secretName = /\{\{\s*publisher\.([A-Za-z0-9_]{1,128})\s*\}\}/g;

export type RecipeActionDraft = {
  action: Action;
  payload: Record<string, unknown>;
  connection: { id: string | null; account: string; link?: string };
};

/** Null: the id is of no install. Throws for an action that its recipe does not declare. */
export async function buildRecipeActionDraft(
  ctx: Context,
  { installId, actionName, input }: { installId: string; actionName: string; input: Record<string, unknown> },
  publicUrl: string,
): Promise<RecipeActionDraft | null> {
  const install = await findInstall(ctx.db, installId);
  if (!install) return null;
  const { actions = [] } = install.base.recipe;
  const declared = actions.find(({ name }) => name === actionName);
  if (!declared) {
    const names = actions.map(({ name }) => name).join(', ') || 'none';
    throw new AppError('invalid_input', `action_name: ${install.name} has no action ${actionName}. Known: ${names}.`);
  }
  const variables = await bindSecrets(ctx, install, declared);
  const filled = fillHandles(declared, variables);
  const payload = { install_id: installId, action: actionName, input, declared: filled, variables };
  const connection = await chooseConnection(ctx, install, declared, publicUrl);
  return { action: recipeAction.specialize?.(payload) ?? recipeAction, payload, connection };
}

/** The secrets that the headers name, each by id and version: those that the publisher lent to the host, or the caller's own. */
async function bindSecrets(ctx: Context, install: ReadingRow, { headers = {}, base_url }: RecipeAction) {
  const names = [...Object.values(headers).join(' ').matchAll(secretName)].map(([, name = '']) => name);
  const bound = await bindInstallSecrets(ctx, install, [...new Set(names)], new URL(base_url).host);
  const missing = names.find((name) => !bound.some((each) => each.name === name));
  if (missing === undefined) return bound;
  throw new AppError('conflict', `The variable ${missing} is missing. Store it with set_variable, and draft it again.`);
}

async function bindInstallSecrets(
  ctx: Context,
  { recipe_id, version, brain_id }: ReadingRow,
  names: readonly string[],
  host: string,
): Promise<BoundVariable[]> {
  if (!names.length) return [];
  if (recipe_id === null) return bindNamedVariables(ctx, brain_id, names);
  const published = await findPublished(ctx.db, { id: recipe_id, version });
  const lent = (published?.lent_secrets ?? []).filter((each) => each.host === host && names.includes(each.name));
  return bindVariablesById(ctx.db, lent);
}

function fillHandles(declared: RecipeAction, variables: readonly BoundVariable[]): RecipeAction {
  const fill = (text: string) =>
    text.replaceAll(secretName, (whole, name: string) => variables.find((each) => each.name === name)?.handle ?? whole);
  const headers = Object.entries(declared.headers ?? {}).map(([name, text]) => [name, fill(text)] as const);
  return { ...declared, ...(headers.length && { headers: Object.fromEntries(headers) }) };
}

async function chooseConnection(
  ctx: Context,
  { connection_id }: ReadingRow,
  { account, base_url }: RecipeAction,
  publicUrl: string,
): Promise<RecipeActionDraft['connection']> {
  if (account === undefined) return { id: null, account: new URL(base_url).hostname };
  const source = sources.find(({ name }) => name === account);
  if (!source) throw new AppError('conflict', `This server no longer knows the source ${account}.`);
  const wanted = { account: undefined, publicUrl };
  return connection_id === null
    ? chooseAccount(ctx, source, wanted)
    : loadAccountById(ctx, connection_id, source, wanted);
}
