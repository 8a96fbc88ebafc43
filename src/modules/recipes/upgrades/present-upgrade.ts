// Upgrades in answers. Values of an entity are for those who may read it.
import type { Context } from '#kernel/context';
import { z } from 'zod';
import { recipeKinds } from '../manifest/kinds.ts';
import type { RecipeInstallRow } from '../store/tables.ts';
import { findOwnerName, type OwnerName } from '../uninstalls/entity-owners.ts';
import type { KeptField, TemplateChange } from './merge-template.ts';
import type { PreparedUpgrade } from './prepare-upgrade.ts';

export const changeOutput = z.object({
  field: z.string().describe('The path, such as datasets.default.columns.email.'),
  change: z.enum(['added', 'changed', 'removed']).describe('removed: a column is hidden, and its values stay.'),
  from: z.unknown().optional().describe('As it is now. Absent: it is not there, or you may not read it.'),
  to: z.unknown().optional(),
});

export const keptOutput = z.object({
  field: z.string(),
  mine: z.unknown().optional().describe('As it stays.'),
  theirs: z.unknown().optional().describe('As the version has it.'),
});

export const missingInputOutput = z.object({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  type: z.enum(['text', 'number', 'boolean']),
});

/** What an answer says of each install. */
export const entityOutput = z.object({
  entity_id: z.uuid(),
  entity_kind: z.enum(recipeKinds),
  slug: z.string(),
  name: z.string(),
});

export function presentEntity({ entity_id, entity_kind, slug, name }: RecipeInstallRow): z.output<typeof entityOutput> {
  return { entity_id, entity_kind, slug, name };
}

/** The changes of an upgrade, without values that the caller may not read. */
export function presentDifference(
  { caller }: Context,
  { install, changes, kept }: Pick<PreparedUpgrade, 'install' | 'changes' | 'kept'>,
): { changes: TemplateChange[]; kept: KeptField[] } {
  const isHidden = createFieldFilter(caller, install);
  return {
    changes: changes.map((change) =>
      isHidden(change.field) ? { field: change.field, change: change.change } : change,
    ),
    kept: kept.map((each) => (isHidden(each.field) ? { field: each.field } : each)),
  };
}

const readScopes = { board: 'boards:read', automation: 'automations:read', workflow: 'workflows:read' } as const;

/** An automation is read by its person and administrators, also that of a workflow. */
function createFieldFilter(caller: Context['caller'], install: RecipeInstallRow): (field: string) => boolean {
  const owner: OwnerName | null = findOwnerName(install);
  if (owner === null) return () => false;
  if (!caller.scopes.has(readScopes[owner])) return () => true;
  const isTheirs = install.person_id === caller.personId || caller.role !== 'member';
  if (caller.scopes.has('automations:read') && caller.reach === 'owner' && isTheirs) return () => false;
  return (field) => owner === 'automation' || field === 'automations' || field.startsWith('automations.');
}
