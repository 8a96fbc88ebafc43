// Types of pages under other names, as clients of other systems use them.
import { parseConditions, type Condition, type PageCondition } from './where.ts';

/** Our type, and which of its pages are meant if not all are. */
type OtherName = { type: string; where?: PageCondition };

const otherNames: Readonly<Record<string, OtherName>> = {
  gdrive_file: { type: 'file' },
  gh_pr: { type: 'issue', where: { pull_request: { contains: '/pull/' } } },
  gh_issue: { type: 'issue', where: { pull_request: null, link: { contains: '/issues/' } } },
};

/**
 * The pages that a type name means: their types, for a search, and a condition for the store when a type alone is not
 * enough.
 */
export type PagesOfType = { types: string[]; conditions: Condition[] };

/** Pages with this name as their type, and pages of our type that other systems call by this name. */
export function readTypeName(name: string): PagesOfType {
  const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  if (!other) return { types: [name], conditions: [] };
  const types = [name, other.type];
  if (!other.where) return { types, conditions: [] };
  const meant = [
    { type: name, conditions: [] },
    { type: other.type, conditions: parseConditions(other.where) },
  ];
  return { types, conditions: [{ kind: 'is_of_type', meant }] };
}
