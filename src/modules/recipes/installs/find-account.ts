import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { chooseAccount } from '#modules/integrations';
import { sources } from '#providers';
import { z } from 'zod';
import type { Recipe } from '../manifest/recipe.ts';

export const accountInput = z
  .string()
  .min(3)
  .max(320)
  .describe('The account that it uses, when several are linked: its name, or its connection_id.');

/** The id of the caller's account that a recipe will use. Throws for a recipe that uses none. */
export async function findAccount(
  ctx: Context,
  { slug, accounts }: Pick<Recipe, 'slug' | 'accounts'>,
  wanted: { account: string; publicUrl: string },
): Promise<string> {
  const source = sources.find(({ name }) => name === accounts[0]?.provider);
  if (!source) throw new AppError('invalid_input', `account: ${slug} uses no account.`);
  return (await chooseAccount(ctx, source, wanted)).id;
}
