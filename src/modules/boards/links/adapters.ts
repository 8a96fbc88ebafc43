// What boards know of adapters: their kinds, their operations, and the sources whose accounts can serve them.
import { AppError } from '#kernel/errors';
import { describeIssues } from '#kernel/issues';
import { adapters, findAdapterOperation, sources } from '#providers';
import type { Adapter, AdapterOperation } from '#providers/kit';
import type { Source } from '#providers/reading';
import type { z } from 'zod';

export type LinkAdapter = { adapter: Adapter; source: Source };

/** The adapter of a stored link. */
export function getAdapter(kind: string): LinkAdapter {
  const adapter = adapters.find((each) => each.kind === kind);
  const source = sources.find(({ name }) => name === kind);
  if (!adapter || !source) throw new AppError('unavailable', `This server no longer knows links of the kind ${kind}.`);
  return { adapter, source };
}

/** The adapter that a caller names. Throws `invalid_input` with the kinds there are. */
export function chooseAdapter(kind: string): LinkAdapter {
  const known = adapters.map((each) => each.kind);
  if (known.includes(kind)) return getAdapter(kind);
  throw new AppError('invalid_input', `kind: there is no adapter ${kind}. There are ${known.join(', ')}.`);
}

/** What a link points at, parsed by its adapter. Throws `invalid_input` with an example. */
export function parseRef({ ref, hint }: Adapter, given: Record<string, unknown>): Record<string, unknown> {
  return parseFields(ref, given, { field: 'ref', hint });
}

export type ChosenOperation = { operation: AdapterOperation; params: Record<string, unknown> };

/** The operation of a link that a caller names, by default its first, with its parsed parameters. Throws `invalid_input`. */
export function chooseOperation(
  kind: string,
  name: string | undefined,
  given: Record<string, unknown>,
): ChosenOperation {
  const { operations } = getAdapter(kind).adapter;
  const found = name === undefined ? operations[0] : findAdapterOperation(name);
  if (!found || !operations.includes(found)) {
    const known = operations.map((each) => `${each.name} (${each.summary})`).join(' ');
    throw new AppError('invalid_input', `adapter_op: a link of the kind ${kind} has no ${name}. It has: ${known}`);
  }
  return { operation: found, params: parseFields(found.params, given, { field: 'params', hint: '' }) };
}

function parseFields(
  schema: z.ZodObject,
  given: Record<string, unknown>,
  { field, hint }: { field: string; hint: string },
): Record<string, unknown> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = describeIssues(parsed.error.issues, schema).map(({ path, message }) =>
    path ? `${field}.${path}: ${message}` : `${field}: ${message}`,
  );
  throw new AppError('invalid_input', `${issues.join('; ')}. ${hint}`.trim(), { issues });
}

export function createAccountNeededError({ kind }: Adapter, provider = kind): AppError {
  return new AppError(
    'invalid_input',
    `integration_provider: a link of the kind ${kind} without an address of its own is read through a linked account. Send "${provider}".`,
  );
}
