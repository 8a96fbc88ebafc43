import type { Lease } from '#platform/lease';
import type { Kysely } from 'kysely';
import type { InstallState } from '../install-states.ts';
import type { Overrides } from '../manifest/overrides.ts';
import type { RecipeKind } from '../manifest/kinds.ts';
import type { Recipe } from '../manifest/recipe.ts';
import type { RenderValues } from '../manifest/render-template.ts';

export type RecipeRow = {
  id: string;
  workspace_id: string;
  slug: string;
  /** The publisher. */
  person_id: string;
  created_by: string;
  created_at: Date;
};

/** A variable of the publisher that installs may send to one host. The name is bound to its variable at publishing. */
export type LentSecret = { name: string; variable_id: string; host: string };

export type RecipeVersionRow = {
  id: string;
  workspace_id: string;
  recipe_id: string;
  version: string;
  sha256: string;
  manifest: Recipe;
  lent_secrets: LentSecret[];
  created_by: string;
  created_at: Date;
  /** Null: it can be installed. */
  withdrawn_at: Date | null;
};

/** What an install was made of: the recipe before rendering, and the values put into it. */
export type InstallBase = {
  recipe: Recipe;
  values: RenderValues;
  /** What the installer named differently. */
  overrides?: Overrides;
  /** Changes of automations that an upgrade made and that wait for a person. */
  change_ids?: string[];
};

export type RecipeInstallRow = Lease & {
  id: string;
  workspace_id: string;
  brain_id: string;
  /** Null: a recipe of the server. */
  recipe_id: string | null;
  slug: string;
  name: string;
  version: string;
  entity_kind: RecipeKind;
  /** What was made; of a bundle and of an integration without code the id of this row. */
  entity_id: string;
  /** The install of the bundle that it came with. */
  bundle_id: string | null;
  /** In whose name it works. */
  person_id: string;
  inputs: RenderValues['inputs'];
  connection_id: string | null;
  base: InstallBase;
  state: InstallState;
  next_at: Date | null;
  counters: Record<string, number>;
  uninstalled_at: Date | null;
  created_by: string;
  created_at: Date;
  updated_at: Date;
};

export type Tables = {
  recipes: RecipeRow;
  recipe_versions: RecipeVersionRow;
  recipe_installs: RecipeInstallRow;
  people_directory: { id: string; name: string };
};
export type Db = Kysely<Tables>;
