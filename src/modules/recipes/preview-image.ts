// The preview image of a recipe as a file.
import type { Transactions } from '#kernel/database';
import { memoizePerServer } from '#kernel/module';
import type { Ground } from '#platform';
import { findCodexRecipe } from './codex/find-recipe.ts';

/** An image of a recipe; null: the recipe has none. The caller's right to the recipe was checked before. */
export type FindPreview = (workspaceId: string, slug: string) => Promise<{ type: string; bytes: Buffer } | null>;

function createFindPreview(transactions: Transactions): FindPreview {
  return async (workspaceId, slug) => {
    const found = await transactions.run(workspaceId, 'read', (db) => findCodexRecipe(db, { slug }));
    const [, type, text] = /^data:(image\/[a-z]+);base64,(.*)$/.exec(found?.recipe.preview_image ?? '') ?? [];
    return type && text ? { type, bytes: Buffer.from(text, 'base64') } : null;
  };
}

/** The previews of the server's recipes. */
export const getPreviews = memoizePerServer(({ transactions }: Ground) => createFindPreview(transactions));
