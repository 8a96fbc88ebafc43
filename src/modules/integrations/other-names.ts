// Names that clients of other systems use for our actions and their fields.
import type { ActionAlias } from '#kernel/action';
import { integrationActions } from '#providers';

type ByOtherName = { action: string; alias: ActionAlias };

const byOtherName: ReadonlyMap<string, ByOtherName> = new Map(
  integrationActions.flatMap(({ source, name: action, aliases = [] }) =>
    aliases.map((alias) => [`${source} ${alias.name}`, { action, alias }] as const),
  ),
);

/** Our name of an action at a source. */
export function toOurName(source: string, name: string): string {
  return byOtherName.get(`${source} ${name}`)?.action ?? name;
}

/** Renames fields to our names. When a field is given under both names, ours wins. */
export function toOurFields(source: string, name: string, given: Record<string, unknown>): Record<string, unknown> {
  const renamed = byOtherName.get(`${source} ${name}`)?.alias.fields ?? {};
  const entries = Object.entries(given).map(([field, value]) => [renamed[field] ?? field, value] as const);
  return Object.fromEntries([...entries, ...Object.entries(given).filter(([field]) => !(field in renamed))]);
}
