// Types of pages under another name in clients of other systems.
import { parseConditions, type Condition, type PageCondition } from './where.ts';

/** Our type, and which pages of it are meant where not all are. */
type OtherName = { type: string; where?: PageCondition };

const otherNames: Readonly<Record<string, OtherName>> = {
  gdrive_file: { type: 'file' },
  gh_pr: { type: 'issue', where: { pull_request: { contains: '/pull/' } } },
  gh_issue: { type: 'issue', where: { pull_request: null, link: { contains: '/issues/' } } },
};

/** The pages that a name of a type means: their types, for a search, and a condition of the store where a type alone says too little. */
export type PagesOfType = { types: string[]; conditions: Condition[] };

/** Pages that have the name itself as their type, and those of ours that other systems call so. */
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
