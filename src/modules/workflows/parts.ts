// The parts of a workflow in inputs and in its row: roster, KPIs and deadlines. A change names one part and leaves the others.
import { AppError } from '#kernel/errors';
import { itemId } from '#kernel/ids';
import { automationId, automationInput } from '#modules/automations';
import { boardId, datasetName, rowQuery } from '#modules/boards';
import { z } from 'zod';
import { limits } from './limits.ts';

export const title = z.string().trim().min(1).max(200);
export const charter = z
  .string()
  .trim()
  .min(1)
  .max(limits.charterCharacters)
  .describe('The goal, and how its people and agents work toward it. Markdown.');

const partName = z.string().trim().min(1).max(100);

const member = z
  .strictObject({
    part: z.string().trim().min(1).max(300).describe('What this member does in the workflow.'),
    person_id: itemId('person').optional(),
    key_id: itemId('key').optional(),
    client_id: itemId('connected_client').optional().describe('A connected client.'),
    automation_id: automationId.optional(),
    automation: automationInput.shape.name.optional().describe('The name of one of the workflow’s own automations.'),
  })
  .refine(
    ({ part: _part, ...ids }) => Object.values(ids).filter((id) => id !== undefined).length === 1,
    'give exactly one of person_id, key_id, client_id, automation_id, automation',
  );

export const roster = z
  .array(member)
  .max(limits.roster)
  .describe('The team: people, keys, connected clients and automations, each with its part.');
export type MemberInput = z.output<typeof member>;

const memberKinds = ['person', 'key', 'client', 'automation'] as const;

/** A member of the team, with the name that it had when it joined. */
export const rosterEntry = z.object({ kind: z.enum(memberKinds), id: z.uuid(), name: z.string(), part: z.string() });
export type RosterEntry = z.output<typeof rosterEntry>;

const figures = ['count', 'sum', 'avg', 'min', 'max'] as const;

export const kpiQuery = z
  .strictObject({
    board_id: boardId,
    dataset: datasetName.default('default'),
    where: rowQuery.where,
    figure: z.enum(figures).default('count'),
    field: z.string().min(1).max(100).optional().describe('The field of the figure; `count` has none.'),
  })
  .refine(
    ({ figure, field }) => (figure === 'count') === (field === undefined),
    'sum, avg, min and max need a field, and count has none',
  );

const kpi = z
  .strictObject({
    name: partName.describe('Unique in the workflow.'),
    target: z.number().nullable().optional().describe('The value to reach; null takes it away.'),
    unit: z.string().trim().max(40).optional(),
    value: z.number().nullable().optional().describe('The present value, by hand; null: there is none.'),
    query: kpiQuery.optional().describe('Computes the value from the rows of a board.'),
  })
  .refine(({ value, query }) => value == null || query === undefined, 'give value or query, not both');

export const kpis = z.array(kpi).max(limits.kpis).describe('The figures that show how far it is.');
export type KpiInput = z.output<typeof kpi>;

/** A KPI of a row. With a query it has no value of its own. */
export type Kpi = {
  name: string;
  target: number | null;
  unit: string;
  value: number | null;
  /** When a value was given by hand, as ISO 8601 has it. */
  measured_at: string | null;
  query: z.output<typeof kpiQuery> | null;
};

const deadline = z.strictObject({
  name: partName.describe('Unique in the workflow.'),
  due: z
    .union([z.iso.date().max(10), z.iso.datetime({ offset: true }).max(40)])
    .optional()
    .describe('A date, which ends with its day in UTC, or a time. A new deadline needs it.'),
  is_done: z.boolean().optional(),
});

export const deadlines = z.array(deadline).max(limits.deadlines).describe('The dates to keep.');
export type DeadlineInput = z.output<typeof deadline>;

/** A deadline of a row. */
export type Deadline = { name: string; due: string; is_done: boolean };

/** Adds KPIs, and changes those of the same name in the given fields. A value by hand takes the query away, and the other way round. */
export function mergeKpis(present: readonly Kpi[], given: readonly KpiInput[], at: Date): Kpi[] {
  const merged = mergeByName(present, given, (before, { name, target, unit, value, query }) => ({
    name,
    target: target === undefined ? (before?.target ?? null) : target,
    unit: unit ?? before?.unit ?? '',
    ...mergeValue(before, { value, query }, at),
  }));
  return checkCount('kpis', merged, limits.kpis);
}

function mergeValue(before: Kpi | undefined, { value, query }: Pick<KpiInput, 'value' | 'query'>, at: Date) {
  if (query) return { value: null, measured_at: null, query };
  if (value !== undefined) return { value, measured_at: value === null ? null : at.toISOString(), query: null };
  return { value: before?.value ?? null, measured_at: before?.measured_at ?? null, query: before?.query ?? null };
}

/** Adds deadlines, and changes those of the same name in the given fields. */
export function mergeDeadlines(present: readonly Deadline[], given: readonly DeadlineInput[]): Deadline[] {
  const merged = mergeByName(present, given, (before, { name, due = before?.due, is_done }) => {
    if (due === undefined) throw new AppError('invalid_input', `deadlines: ${name} needs \`due\`, a date or a time.`);
    return { name, due, is_done: is_done ?? before?.is_done ?? false };
  });
  return checkCount('deadlines', merged, limits.deadlines);
}

/** Adds members, and changes the part of those that are there. */
export function mergeRoster(present: readonly RosterEntry[], given: readonly RosterEntry[]): RosterEntry[] {
  const entries = new Map(present.map((entry) => [entry.id, entry]));
  for (const entry of given) entries.set(entry.id, entry);
  return checkCount('roster', [...entries.values()], limits.roster);
}

/** The parts without those of some names, ignoring case. Throws `invalid_input` for a name that none has. */
export function removeByName<Part extends { name: string }>(
  field: string,
  parts: readonly Part[],
  names: readonly string[],
): Part[] {
  const unknown = names.find((name) => !parts.some((part) => isSameName(part.name, name)));
  if (unknown !== undefined) throw new AppError('invalid_input', `${field}: this workflow has no ${unknown}.`);
  return parts.filter((part) => !names.some((name) => isSameName(part.name, name)));
}

function mergeByName<Part extends { name: string }, Given extends { name: string }>(
  present: readonly Part[],
  given: readonly Given[],
  merge: (before: Part | undefined, given: Given) => Part,
): Part[] {
  const parts = [...present];
  for (const each of given) {
    const at = parts.findIndex(({ name }) => isSameName(name, each.name));
    if (at < 0) parts.push(merge(undefined, each));
    else parts[at] = merge(parts[at], each);
  }
  return parts;
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function checkCount<Part>(field: string, parts: Part[], most: number): Part[] {
  if (parts.length > most) throw new AppError('invalid_input', `${field}: at most ${most} in a workflow.`);
  return parts;
}
