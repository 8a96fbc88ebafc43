import type { ItemLocation } from '#kernel/resource';
import { toJsonColumn } from '#platform/database';
import { sql } from 'kysely';
import type { RecipeKind } from '../manifest/kinds.ts';
import type { Db, RecipeRow, RecipeVersionRow } from './tables.ts';

export async function locateRecipes(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await db.selectFrom('recipes').select('id').where('id', 'in', ids).execute();
  return rows.map(({ id }) => ({ id, brainId: null }));
}

/** One version of a published recipe, with its publisher. */
export type PublishedVersion = RecipeVersionRow & {
  slug: string;
  person_id: string;
  publisher_name: string | null;
  first_published_at: Date;
};

/** The order of versions, the highest last. */
const versionOrder = sql`string_to_array(recipe_versions.version, '.')::int[]`;

function selectPublished(db: Db) {
  return db
    .selectFrom('recipe_versions')
    .innerJoin('recipes', 'recipes.id', 'recipe_versions.recipe_id')
    .leftJoin('people_directory', 'people_directory.id', 'recipes.person_id')
    .selectAll('recipe_versions')
    .select([
      'recipes.slug',
      'recipes.person_id',
      'people_directory.name as publisher_name',
      'recipes.created_at as first_published_at',
    ]);
}

/** A version of a recipe; without `version` the highest that was not withdrawn. */
export async function findPublished(
  db: Db,
  { slug, id, version }: { slug?: string | undefined; id?: string | undefined; version?: string | undefined },
): Promise<PublishedVersion | undefined> {
  return selectPublished(db)
    .$if(slug !== undefined, (query) => query.where('recipes.slug', '=', slug!)) // given right before
    .$if(id !== undefined, (query) => query.where('recipes.id', '=', id!))
    .$if(version !== undefined, (query) => query.where('recipe_versions.version', '=', version!))
    .$if(version === undefined, (query) => query.where('recipe_versions.withdrawn_at', 'is', null))
    .orderBy(versionOrder, 'desc')
    .limit(1)
    .executeTakeFirst();
}

export type RecipeFilter = {
  kind?: RecipeKind | undefined;
  category?: string | undefined;
  tag?: string | undefined;
  search?: string | undefined;
  limit: number;
};

/** A published recipe in a list: without its template. */
export type PublishedSummary = {
  id: string;
  slug: string;
  name: string;
  kind: RecipeKind;
  category: string | null;
  tags: string[];
  version: string;
  description: string;
  has_preview: boolean;
  author: string;
  created_at: Date;
  updated_at: Date;
};

/** The newest versions of published recipes that fit, by name. Templates and images stay in the database. */
export async function searchPublished(
  db: Db,
  { kind, category, tag, search, limit }: RecipeFilter,
): Promise<PublishedSummary[]> {
  const newest = db
    .selectFrom('recipe_versions')
    .select('id')
    .distinctOn('recipe_id')
    .where('withdrawn_at', 'is', null)
    .orderBy('recipe_id')
    .orderBy(versionOrder, 'desc');
  const text = (name: string) => sql<string>`manifest ->> ${sql.lit(name)}`;
  const searched = sql`lower(concat_ws(' ', recipes.slug, ${text('name')}, ${text('description')}))`;
  return db
    .selectFrom('recipe_versions')
    .innerJoin('recipes', 'recipes.id', 'recipe_versions.recipe_id')
    .leftJoin('people_directory', 'people_directory.id', 'recipes.person_id')
    .where('recipe_versions.id', 'in', newest)
    .select([
      'recipes.id',
      'recipes.slug',
      text('name').as('name'),
      sql<RecipeKind>`${text('kind')}`.as('kind'),
      sql<string | null>`${text('category')}`.as('category'),
      sql<string[]>`manifest -> 'tags'`.as('tags'),
      'recipe_versions.version',
      text('description').as('description'),
      sql<boolean>`manifest ? 'preview_image'`.as('has_preview'),
      sql<string>`coalesce(${text('author')}, people_directory.name, 'Unknown')`.as('author'),
      'recipes.created_at',
      'recipe_versions.created_at as updated_at',
    ])
    .$if(kind !== undefined, (query) => query.where(text('kind'), '=', kind!)) // given right before
    .$if(category !== undefined, (query) => query.where(sql`lower(${text('category')})`, '=', category!.toLowerCase()))
    .$if(tag !== undefined, (query) => query.where(sql<boolean>`manifest -> 'tags' ? ${tag!}`))
    .$if(search !== undefined, (query) =>
      query.where((eb) =>
        eb.and(splitWords(search!).map((word) => sql<boolean>`position(${word} in ${searched}) > 0`)),
      ),
    )
    .orderBy(sql`lower(${text('name')})`)
    .orderBy('recipes.slug')
    .limit(limit)
    .execute();
}

/** The words of a search, each of which must be in the name or description. */
export function splitWords(search: string): string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean);
}

/** The recipe of a slug, with a row lock, so that its versions are published one after another. */
export async function lockRecipe(db: Db, slug: string): Promise<RecipeRow | undefined> {
  return db.selectFrom('recipes').selectAll().where('slug', '=', slug).forUpdate().executeTakeFirst();
}

/** Stores a recipe. False: its workspace already has one with that slug. */
export async function insertRecipe(db: Db, recipe: RecipeRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('recipes')
    .values(recipe)
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  return Boolean(numInsertedOrUpdatedRows);
}

/** The versions of a recipe, the highest first. */
export async function listVersions(
  db: Db,
  recipeId: string,
): Promise<Pick<RecipeVersionRow, 'id' | 'version' | 'sha256' | 'lent_secrets' | 'created_at' | 'withdrawn_at'>[]> {
  return db
    .selectFrom('recipe_versions')
    .select(['id', 'version', 'sha256', 'lent_secrets', 'created_at', 'withdrawn_at'])
    .where('recipe_id', '=', recipeId)
    .orderBy(versionOrder, 'desc')
    .execute();
}

export async function insertVersion(db: Db, version: RecipeVersionRow): Promise<void> {
  const json = { manifest: toJsonColumn(version.manifest), lent_secrets: toJsonColumn(version.lent_secrets) };
  await db
    .insertInto('recipe_versions')
    .values({ ...version, ...json })
    .execute();
}

export async function countRecipes(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('recipes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function withdrawVersion(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('recipe_versions').set({ withdrawn_at: at }).where('id', '=', id).execute();
}
