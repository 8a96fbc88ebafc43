import { z } from 'zod';

/**
 * A kind of item that an operation can name by id, such as `memory`. A module declares a `Resource` for each kind it
 * owns.
 */
export type ResourceKind = string;

const kinds = z.registry<{ kind: ResourceKind; isForItself?: true }>();

/**
 * A schema for the id of one kind of item. The kernel finds these ids in an operation's input and checks each of them.
 */
export function itemId(kind: ResourceKind) {
  return z.uuid('must be an id, as this server returns it').register(kinds, { kind });
}

/**
 * Like `idOf`, for lists whose ids the operation handles one by one: the call is refused when none of them exists, and
 * otherwise the operation reports each missing one.
 */
export function separateItemId(kind: ResourceKind) {
  return z.uuid('must be an id, as this server returns it').register(kinds, { kind, isForItself: true });
}

/** More ids than a person would write into a URL. */
const longestList = 4_000;

/**
 * A schema for several ids of one kind: a list, or a text with commas between ids, as in a query string. The result is
 * a list, and the kernel checks each id.
 */
export function itemIdList(kind: ResourceKind, most: number) {
  const list = z.array(itemId(kind)).min(1).max(most);
  const text = z
    .string()
    .max(longestList)
    .transform((ids) => ids.split(',').map((id) => id.trim()));
  return z.union([list, text.pipe(list)]);
}

/** The path of ids of one kind in an input: `['draft_ids', '*']` means every element of the array `draft_ids`. */
export type IdField = { path: readonly string[]; kind: ResourceKind; isForItself?: true };

/** Every id field of an input schema, determined once when the operation is defined. */
export function findIdFields(schema: z.core.$ZodType, path: readonly string[] = []): IdField[] {
  const id = kinds.get(schema);
  if (id) return [{ path, ...id }];
  const { def } = schema._zod as { def: SchemaDef }; // zod has one type of definition for each class of schema; we read them all
  if (def.shape) return Object.entries(def.shape).flatMap(([name, field]) => findIdFields(field, [...path, name]));
  if (def.element) return findIdFields(def.element, [...path, '*']);
  if (def.options) return dropDuplicateFields(def.options.flatMap((option) => findIdFields(option, path)));
  if (def.out) return findIdFields(def.out, path);
  if (def.innerType) return findIdFields(def.innerType, path);
  return [];
}

/** Alternatives of a field may have the same ids in the same place. */
function dropDuplicateFields(fields: IdField[]): IdField[] {
  return [...new Map(fields.map((field) => [`${field.kind} ${field.path.join('.')}`, field])).values()];
}

type SchemaDef = {
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
  options?: z.core.$ZodType[];
  innerType?: z.core.$ZodType;
  out?: z.core.$ZodType;
};

/** The ids of an input at one field, in order; empty when the field is absent. */
export function readIds(input: unknown, [head, ...rest]: readonly string[]): string[] {
  if (input === undefined || input === null) return [];
  if (head === undefined) return [input as string]; // parsed by `idOf`, so it is a string
  if (head === '*') return (input as unknown[]).flatMap((element) => readIds(element, rest));
  return readIds((input as Record<string, unknown>)[head], rest);
}
