// What an install needs of its person, and does not have yet: accounts and secrets.
import type { Context } from '#kernel/context';
import { connectUrl, listAccountsBySource } from '#modules/integrations';
import { listMissingVariables } from '#modules/variables';
import { sources } from '#providers';
import { listNamedSecrets } from '../codex/bind-lent-secrets.ts';
import type { CodexRecipe } from '../codex/codex-recipe.ts';
import { isReading } from '../manifest/recipe.ts';

export type MissingAccount = { slug: string; provider: string; reason: string | null; connect_url: string | null };
export type MissingSecret = { slug: string; name: string; description: string };

/** The accounts that a recipe asks for and the caller has not linked. */
export async function listMissingAccounts(
  ctx: Context,
  { recipe: { slug, accounts } }: CodexRecipe,
  publicUrl: string,
): Promise<MissingAccount[]> {
  if (!accounts.length) return [];
  const asked = sources.filter(({ name }) => accounts.some(({ provider }) => provider === name));
  const linked = await listAccountsBySource(ctx, asked);
  return accounts
    .filter(({ provider }) => !linked.get(provider)?.some(({ status }) => status === 'active'))
    .map(({ provider, reason = null }) => {
      const source = asked.find(({ name }) => name === provider);
      return { slug, provider, reason, connect_url: source ? connectUrl(publicUrl, source) : null };
    });
}

/** The secrets that a recipe needs and the caller has no variable for on the brain. Lent ones are there. */
export async function listMissingSecrets(ctx: Context, codex: CodexRecipe, brainId: string): Promise<MissingSecret[]> {
  const { slug } = codex.recipe;
  const needed = listSecrets(codex);
  const missing = await listMissingVariables(
    ctx,
    brainId,
    needed.map(({ name }) => name),
  );
  return needed.filter(({ name }) => missing.includes(name)).map((each) => ({ slug, ...each }));
}

/**
 * The secrets of the installer: those the recipe declares, and of a recipe of the server those that its endpoints and
 * its `auth` name. What a publisher lends is not among them.
 */
function listSecrets({ recipe, publisherId }: CodexRecipe): { name: string; description: string }[] {
  if (publisherId !== null || recipe.kind !== 'integration' || !isReading(recipe.template)) return recipe.secrets;
  const { auth } = recipe.template;
  const names = new Set(listNamedSecrets(recipe).map(({ name }) => name));
  if (auth) names.add(auth.secret_name);
  for (const { name } of recipe.secrets) names.delete(name);
  const header = auth?.header;
  return [...recipe.secrets, ...[...names].map((name) => ({ name, description: describeAuth(recipe.name, header) }))];
}

function describeAuth(name: string, header: string | undefined): string {
  return header === undefined ? `The key of ${name}.` : `The key of ${name}, which is sent in the header ${header}.`;
}
