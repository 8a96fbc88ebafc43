// Merges what a person made of an installed template with a later version of it.
import { isDeepStrictEqual } from 'node:util';

/**
 * How a value merges: as a whole, by the fields of an object, or by the names of the elements of a list. `of` has the
 * rules of fields that do not merge as a whole.
 */
export type MergeRule =
  | 'whole'
  | { by: 'field'; of?: Readonly<Record<string, MergeRule>>; rest?: MergeRule }
  | { by: 'name'; getName: (element: unknown) => string; element: MergeRule };

/** A difference between what is there and what comes. */
export type TemplateChange = {
  /** The path, such as `datasets.default.columns.email`. */
  field: string;
  change: 'added' | 'changed' | 'removed';
  from?: unknown;
  to?: unknown;
};

/** A field that both sides changed, which stays as the person has it. Without a value it is not there. */
export type KeptField = { field: string; mine?: unknown; theirs?: unknown };

export type MergeResult<Template> = { template: Template; kept: KeptField[]; changes: TemplateChange[] };

type Sides = { base: unknown; mine: unknown; theirs: unknown };
type Report = Pick<MergeResult<unknown>, 'kept' | 'changes'>;

/**
 * Merges by field. Changed on one side: that side counts. Changed on both: `mine` stays and is in `kept`. `changes` are
 * the differences of the result from `mine`.
 */
export function mergeTemplate<Template>(
  base: Template,
  mine: Template,
  theirs: Template,
  rule: MergeRule,
): MergeResult<Template> {
  const report: Report = { kept: [], changes: [] };
  const template = mergeValue('', { base, mine, theirs }, rule, report) as Template; // each part is of one of the three
  return { template, ...report };
}

/** As `mergeTemplate`, but what a person changed is dropped: the result is `theirs`. */
export function replaceTemplate<Template>(mine: Template, theirs: Template, rule: MergeRule): MergeResult<Template> {
  return mergeTemplate(mine, mine, theirs, rule);
}

/** The differences that a person made, by field. */
export function compareTemplates<Template>(base: Template, mine: Template, rule: MergeRule): TemplateChange[] {
  return mergeTemplate(base, base, mine, rule).changes;
}

function mergeValue(field: string, sides: Sides, rule: MergeRule, report: Report): unknown {
  const { base, mine, theirs } = sides;
  if (isDeepStrictEqual(mine, theirs)) return mine;
  if (rule !== 'whole' && mine !== undefined && theirs !== undefined)
    return rule.by === 'field' ? mergeFields(field, sides, rule, report) : mergeNamed(field, sides, rule, report);
  if (isDeepStrictEqual(mine, base)) {
    report.changes.push(describeChange(field, mine, theirs));
    return theirs;
  }
  if (!isDeepStrictEqual(theirs, base)) report.kept.push(withoutAbsent({ field, mine, theirs }));
  return mine;
}

function describeChange(field: string, from: unknown, to: unknown): TemplateChange {
  if (from === undefined) return { field, change: 'added', to };
  return to === undefined ? { field, change: 'removed', from } : { field, change: 'changed', from, to };
}

function withoutAbsent({ field, mine, theirs }: KeptField): KeptField {
  return { field, ...(mine !== undefined && { mine }), ...(theirs !== undefined && { theirs }) };
}

type FieldRule = Extract<MergeRule, { by: 'field' }>;

function mergeFields(field: string, sides: Sides, { of = {}, rest = 'whole' }: FieldRule, report: Report): unknown {
  const [base, mine, theirs] = [toEntries(sides.base), toEntries(sides.mine), toEntries(sides.theirs)];
  const merged = [...new Set([...mine.keys(), ...theirs.keys()])].map((name) => {
    const parts = { base: base.get(name), mine: mine.get(name), theirs: theirs.get(name) };
    return [
      name,
      mergeValue(joinPath(field, name), parts, Object.hasOwn(of, name) ? of[name]! : rest, report),
    ] as const;
  });
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}

type NameRule = Extract<MergeRule, { by: 'name' }>;

function mergeNamed(field: string, sides: Sides, { getName, element }: NameRule, report: Report): unknown {
  const [base, mine, theirs] = [sides.base, sides.mine, sides.theirs].map((side) => toNamed(side, getName));
  return listNamesInOrder(base!, mine!, theirs!).flatMap((name) => {
    const parts = { base: base!.get(name), mine: mine!.get(name), theirs: theirs!.get(name) };
    const value = mergeValue(joinPath(field, name), parts, element, report);
    return value === undefined ? [] : [value];
  });
}

/** The order of a list is one more field: a person's own order stays, and new elements follow at the end. */
function listNamesInOrder(base: NamedElements, mine: NamedElements, theirs: NamedElements): string[] {
  const [first, second] = isDeepStrictEqual([...mine.keys()], [...base.keys()]) ? [theirs, mine] : [mine, theirs];
  return [...new Set([...first.keys(), ...second.keys()])];
}

type NamedElements = ReadonlyMap<string, unknown>;

/** Elements by name. Elements of the same name are numbered. */
function toNamed(list: unknown, getName: NameRule['getName']): NamedElements {
  const named = new Map<string, unknown>();
  for (const each of Array.isArray(list) ? list : []) {
    const name = getName(each);
    let place = name;
    for (let number = 2; named.has(place); number += 1) place = `${name} ${number}`;
    named.set(place, each);
  }
  return named;
}

function toEntries(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function joinPath(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}
