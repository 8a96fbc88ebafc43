// Recipes in answers.
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { recipeKinds } from '../manifest/kinds.ts';
import type { CodexRecipe } from './codex-recipe.ts';

const excerptCharacters = 200;

/** A row of the codex. */
export const recipeSummary = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  kind: z.enum(recipeKinds),
  category: z.string().nullable(),
  tags: z.array(z.string()),
  version: z.string(),
  description_excerpt: z.string(),
  preview_image_url: uri().nullable(),
  author: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** What a row of the codex is made of. */
export type SummaryRow = {
  id: string;
  slug: string;
  name: string;
  kind: (typeof recipeKinds)[number];
  category: string | null;
  tags: string[];
  version: string;
  description: string;
  has_preview: boolean;
  author: string;
  created_at: Date;
  updated_at: Date;
};

export function presentSummary(
  { description, has_preview, created_at, updated_at, ...row }: SummaryRow,
  publicUrl: string,
): z.output<typeof recipeSummary> {
  return {
    ...row,
    description_excerpt: cutText(description),
    preview_image_url: has_preview ? `${publicUrl}/v1/recipes/${row.slug}/preview` : null,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

function cutText(text: string): string {
  if (text.length <= excerptCharacters) return text;
  return `${text
    .slice(0, excerptCharacters - 1)
    .toWellFormed()
    .trimEnd()}…`;
}

/** A row of the codex of one recipe. */
export function toSummaryRow({ id, recipe, version, author, createdAt, updatedAt }: CodexRecipe): SummaryRow {
  const { slug, name, kind, category, tags, description, preview_image } = recipe;
  return {
    id,
    slug,
    name,
    kind,
    category: category ?? null,
    tags,
    version,
    description,
    has_preview: preview_image !== undefined,
    author,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

/** A whole recipe. */
export const recipeOutput = recipeSummary.omit({ description_excerpt: true }).extend({
  description: z.string(),
  publisher_id: z.uuid().nullable().describe('The person who published it; null: it comes with the server.'),
  sha256: z.string(),
  depends: z.array(z.object({ slug: z.string(), min_version: z.string().optional(), reason: z.string().optional() })),
  inputs: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      type: z.enum(['text', 'number', 'boolean']),
      default: z.union([z.string(), z.number(), z.boolean()]).optional(),
      required: z.boolean(),
    }),
  ),
  secrets: z.array(z.object({ name: z.string(), description: z.string() })),
  accounts: z.array(z.object({ provider: z.string(), reason: z.string().optional() })),
  template: z.record(z.string(), z.unknown()).nullable().describe('What is made of it; null for a bundle.'),
  parts: z.array(z.object({ slug: z.string(), min_version: z.string().optional() })),
});

export function presentRecipe(found: CodexRecipe, publicUrl: string): z.output<typeof recipeOutput> {
  const { recipe, publisherId, sha256 } = found;
  const { description_excerpt: _excerpt, ...summary } = presentSummary(toSummaryRow(found), publicUrl);
  const { description, depends, inputs, secrets, accounts } = recipe;
  return {
    ...summary,
    description,
    publisher_id: publisherId,
    sha256,
    depends,
    inputs,
    secrets,
    accounts,
    template: recipe.kind === 'bundle' ? null : recipe.template,
    parts: recipe.kind === 'bundle' ? recipe.parts : [],
  };
}
