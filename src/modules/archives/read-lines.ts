// Reads lines of an archive strictly: each line is checked here, before it is stored later.
import { checkValues } from '#kernel/check-values';
import { AppError } from '#kernel/errors';
import { describeIssues, formatIssues } from '#kernel/issues';
import type { Portable } from '#kernel/portable';
import { archivedBrain } from '#modules/brains';
import { z } from 'zod';
import type { ArchiveLine } from '#modules/brains';

/** The version that `thalamus export` writes, and the only one that can be read. */
const archiveVersion = 1;

/** The longest line, in characters: a page with the longest text, completely escaped, is shorter. */
const longestLine = 3_000_000;
const mostBrains = 1_000;

const header = z.strictObject({ format: z.literal('thalamus-archive'), version: z.number().int() });
const end = z.strictObject({ end: z.literal(true), lines: z.number().int() });
const line = z.strictObject({
  kind: z.string().max(60),
  brain: z.number().int().min(1).max(mostBrains),
  item: z.record(z.string(), z.unknown()),
});

/**
 * The lines of an archive from line `first` on, counted from 1. The first line of the file is the header, and the last
 * one says how many lines there are, which shows whether the file was cut off. Neither is stored.
 */
export function readLines(
  text: string,
  { first, last }: { first: number; last: number },
  portable: readonly Portable[],
): { rows: Pick<ArchiveLine, 'line' | 'kind' | 'brain' | 'data'>[]; count: number } {
  const schemas = new Map<string, z.ZodObject>([
    ['brain', archivedBrain],
    ...portable.map(({ kind, row }) => [kind, row] as const),
  ]);
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const rows = lines.flatMap((each, index) => {
    const number = first + index;
    const value = parse(each, number);
    if (number === 1) {
      checkHeader(value);
      return [];
    }
    if (number === last) {
      checkEnd(value, last);
      return [];
    }
    const { kind, brain, item } = check(line, value, number);
    const schema = schemas.get(kind);
    if (!schema)
      throw createLineError(
        number,
        `there is no kind ${JSON.stringify(kind)}. The archive may come from a newer Thalamus.`,
      );
    return [{ line: number, kind, brain, data: JSON.stringify(check(schema, item, number)) }];
  });
  return { rows, count: lines.length };
}

function checkHeader(value: unknown): void {
  const read = header.safeParse(value);
  if (!read.success)
    throw createLineError(
      1,
      'is not the header of a Thalamus archive. Create one with `thalamus export`, or name the format.',
    );
  if (read.data.version !== archiveVersion)
    throw createLineError(
      1,
      `the archive has version ${read.data.version}; this server reads version ${archiveVersion}.`,
    );
}

function checkEnd(value: unknown, last: number): void {
  const read = end.safeParse(value);
  if (!read.success)
    throw createLineError(last, 'is not the end of an archive. The file was cut off: export it again.');
  if (read.data.lines !== last)
    throw createLineError(last, `the archive had ${read.data.lines} lines when it was made.`);
}

function parse(text: string, number: number): unknown {
  if (text.length > longestLine) throw createLineError(number, `is longer than ${longestLine} characters.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw createLineError(number, 'is not JSON.');
  }
  const issues = checkValues(value);
  if (issues.length) throw createLineError(number, formatIssues(issues, issues.length, 'the line'));
  return value;
}

function check<Schema extends z.ZodObject>(schema: Schema, value: unknown, number: number): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw createLineError(number, formatIssues(describeIssues(read.error.issues, schema), read.error.issues.length));
}

function createLineError(number: number, what: string): AppError {
  return new AppError('invalid_input', `Line ${number}: ${what} Nothing is imported.`, { line: number });
}
