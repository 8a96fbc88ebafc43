import { z } from 'zod';
import { readClockTime, type ClockTime } from './clock-time.ts';

const scalar = z.union([z.string().max(2_000), z.number(), z.boolean(), z.null()]);
export type Scalar = z.output<typeof scalar>;

const limit = z.union([z.string().min(1).max(200), z.number()]);

const comparison = z
  .strictObject({
    gt: limit.optional(),
    lt: limit.optional(),
    contains: z.string().min(1).max(500).optional(),
    in: z.array(scalar).min(1).max(100).optional(),
  })
  .refine((given) => Object.keys(given).length > 0, 'pass at least one of gt, lt, contains, in');

const field = z.string().min(1).max(100);

/** Conditions on frontmatter by field name; all of them must hold. */
export const where = z
  .record(field, z.union([scalar, comparison]))
  .refine((given) => Object.keys(given).length <= 20, 'may have at most 20 fields')
  .describe(
    'Frontmatter field and its value, or {gt, lt, contains, in}; null: no such field. A value also matches a member of a list. gt and lt compare numbers and ISO dates.',
  );
export type PageCondition = z.output<typeof where>;

/** One condition on a field, as the store turns it into SQL. */
export type FieldCondition =
  | { field: string; kind: 'is_one_of'; values: Scalar[] }
  | { field: string; kind: 'contains'; text: string }
  | { field: string; kind: 'greater' | 'less'; than: Operand };

export type Condition =
  | FieldCondition
  /** Any of these types, each with its own conditions. */
  | { kind: 'is_of_type'; meant: readonly { type: string; conditions: readonly Condition[] }[] };

/** The value of a comparison, and so its type. */
export type Operand =
  | { as: 'number'; value: number }
  | { as: 'date'; value: ClockTime }
  | { as: 'text'; value: string };

const isoDate = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const decimal = /^-?\d{1,30}(?:\.\d{1,30})?$/;

/** Reads `where` into conditions. */
export function parseConditions(given: PageCondition): FieldCondition[] {
  return Object.entries(given).flatMap(([name, wanted]) => {
    if (wanted === null || typeof wanted !== 'object') return [buildOneOfCondition(name, [wanted])];
    const conditions: FieldCondition[] = [];
    if (wanted.gt !== undefined) conditions.push({ field: name, kind: 'greater', than: parseOperand(wanted.gt) });
    if (wanted.lt !== undefined) conditions.push({ field: name, kind: 'less', than: parseOperand(wanted.lt) });
    if (wanted.contains !== undefined) conditions.push({ field: name, kind: 'contains', text: wanted.contains });
    if (wanted.in !== undefined) conditions.push(buildOneOfCondition(name, wanted.in));
    return conditions;
  });
}

/** A number also matches its own spelling, because many sources return numbers as text. */
function buildOneOfCondition(name: string, values: Scalar[]): FieldCondition {
  const spelled = values.flatMap((value): Scalar[] => {
    if (typeof value === 'number') return [value, String(value)];
    return typeof value === 'string' && decimal.test(value) ? [value, Number(value)] : [value];
  });
  return { field: name, kind: 'is_one_of', values: spelled };
}

function parseOperand(given: string | number): Operand {
  if (typeof given === 'number') return { as: 'number', value: given };
  if (decimal.test(given)) return { as: 'number', value: Number(given) };
  const date = isoDate.test(given) ? readClockTime(withZone(given)) : undefined;
  if (date && !Number.isNaN(date.moment.getTime())) return { as: 'date', value: date };
  return { as: 'text', value: given };
}

/** A time without a zone is read as UTC, on both sides of a comparison. */
function withZone(text: string): string {
  return text.includes(':') && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text}Z` : text;
}

/** Whether fields that are not stored meet the conditions. They are never compared by size. */
export function isMeetingConditions(fields: Readonly<Record<string, unknown>>, given: PageCondition): boolean {
  return Object.entries(given).every(([name, wanted]) => {
    const said = String(fields[name] ?? '');
    if (wanted === null || typeof wanted !== 'object') return said === String(wanted);
    if (wanted.gt !== undefined || wanted.lt !== undefined) return false;
    const isOne = wanted.in === undefined || wanted.in.some((each) => said === String(each));
    return isOne && (wanted.contains === undefined || said.includes(wanted.contains));
  });
}
