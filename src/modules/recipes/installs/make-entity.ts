// Makes what a recipe describes: a board, an automation or a workflow.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { SaveDeps } from '#modules/automations';
import {
  entitySchemas,
  getEntityKind,
  renderEntity,
  type EntityInput,
  type EntityKind,
  type MakingRecipe,
} from '../manifest/render-entity.ts';
import type { RenderValues } from '../manifest/render-template.ts';
import { entityCreators, type CreatedEntity, type EntityPlace, type MadeKind } from './entity-creators.ts';
import { buildReplacedFields, type Overrides } from '../manifest/overrides.ts';

type Making = { place: EntityPlace; values: RenderValues; overrides: Overrides; deps: SaveDeps };

/** Null for a declarative integration, which makes nothing. Throws `invalid_input` where the values do not fit the template. */
export async function makeEntity(
  ctx: Context,
  recipe: MakingRecipe,
  { place, values, overrides, deps }: Making,
): Promise<CreatedEntity | null> {
  const kind = getEntityKind(recipe);
  if (kind === 'reading') return null;
  return create(ctx, kind, parseEntity(recipe, kind, { values, overrides }), place, deps);
}

function create<Kind extends MadeKind>(
  ctx: Context,
  kind: Kind,
  input: EntityInput<Kind>,
  place: EntityPlace,
  deps: SaveDeps,
): Promise<CreatedEntity> {
  return entityCreators[kind].create(ctx, input, place, deps);
}

/** What a recipe makes with these values, checked by the schema of its kind. */
export function parseEntity<Kind extends EntityKind>(
  recipe: MakingRecipe,
  kind: Kind,
  { values, overrides }: { values: RenderValues; overrides: Overrides },
): EntityInput<Kind> {
  const fields = { ...renderEntity(recipe, values), ...buildReplacedFields(overrides) };
  const { data, error } = entitySchemas[kind].safeParse(fields);
  if (data) return data as EntityInput<Kind>; // of the schema of this kind
  const problems = (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new AppError('invalid_input', `With these inputs ${recipe.slug} is not valid: ${problems.join('. ')}.`);
}
