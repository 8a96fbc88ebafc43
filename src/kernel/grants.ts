// Grants: the calls that are allowed to a caller that runs code, beside its scopes.
import { intersectReads, isReadsParam, listReads, type DeclaredRead } from './declared-reads.ts';
import { AppError } from './errors.ts';
import type { Operation } from './operation.ts';

/**
 * An operation, and conditions on its input: equal values, `max_*` numbers as upper limits, and the host of `url` among
 * `hosts`. The `reads` of `http_fetch` restrict nothing: see `declared-reads.ts`.
 */
export type Grant = { tool: string; params?: Record<string, unknown> | undefined };

type Input = Record<string, unknown>;
type GrantedOperation = Pick<Operation, 'name' | 'input' | 'findHost'>;

/**
 * The input that a grant allows, with upper limits added where the caller gave no number. Throws `forbidden` when no
 * grant allows it. Compares the input as given: a field under one of its other names does not match.
 */
export function applyGrants(grants: readonly Grant[], operation: GrantedOperation, raw: unknown): unknown {
  const of = grants.filter(({ tool }) => tool === operation.name);
  if (!of.length) throw new AppError('forbidden', `${operation.name} is not among the tool_grants of this automation.`);
  const input = typeof raw === 'object' && raw !== null ? (raw as Input) : {};
  for (const { params = {} } of of) {
    const narrowed = narrow(operation, params, input);
    if (narrowed) return narrowed;
  }
  const names = [...new Set(of.flatMap(({ params = {} }) => Object.keys(params)))].join(', ');
  throw new AppError(
    'forbidden',
    `${operation.name}: the grant of this automation sets ${names}, and the call does not match it.`,
  );
}

/** The endpoints at which a call may read by POST: those of the grants that allow it. */
export function listGrantedReads(
  grants: readonly Grant[],
  operation: GrantedOperation,
  input: Record<string, unknown>,
): DeclaredRead[] {
  return grants.flatMap((grant) =>
    grant.tool === operation.name && narrow(operation, grant.params ?? {}, input) ? listReads(grant) : [],
  );
}

function narrow(operation: GrantedOperation, params: Input, input: Input): Input | null {
  const narrowed = { ...input };
  for (const [name, wanted] of Object.entries(params)) {
    if (isReadsParam(operation.name, name)) continue;
    const given = Object.hasOwn(input, name) ? input[name] : undefined;
    if (isCeiling(name, wanted)) {
      if (given === undefined && name in operation.input.shape) narrowed[name] = wanted;
      else if (given !== undefined && !(typeof given === 'number' && given <= wanted)) return null;
    } else if (isHosts(name, wanted, operation)) {
      if (!wanted.includes(operation.findHost?.(input))) return null;
    } else if (!includesValue(given, wanted)) return null;
  }
  return narrowed;
}

function isCeiling(name: string, wanted: unknown): wanted is number {
  return name.startsWith('max_') && typeof wanted === 'number';
}

function isHosts(name: string, wanted: unknown, { input, findHost }: GrantedOperation): wanted is unknown[] {
  return name === 'hosts' && findHost !== undefined && !('hosts' in input.shape) && Array.isArray(wanted);
}

/** Whether a value contains all of another: objects may have additional fields, everything else must be equal. */
function includesValue(given: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return given === wanted;
  if (typeof given !== 'object' || given === null || Array.isArray(given) !== Array.isArray(wanted)) return false;
  if (Array.isArray(wanted) && wanted.length !== (given as unknown[]).length) return false;
  return Object.entries(wanted).every(
    ([name, value]) => Object.hasOwn(given, name) && includesValue((given as Input)[name], value),
  );
}

/** Combines two lists of grants: a call must be allowed by both. */
export function intersectGrants(one: readonly Grant[], other: readonly Grant[]): Grant[] {
  return one.flatMap(({ tool, params = {} }) =>
    other.flatMap((each) => {
      const both = each.tool === tool ? intersectParams(tool, params, each.params ?? {}) : null;
      return both ? [{ tool, params: both }] : [];
    }),
  );
}

/** Null: the two grants contradict each other, or cannot be combined; then neither allows anything. */
function intersectParams(tool: string, one: Input, other: Input): Input | null {
  const reads = intersectReads(listReads({ tool, params: one }), listReads({ tool, params: other }));
  const both: Input = Object.fromEntries(Object.entries(other).filter(([name]) => !isReadsParam(tool, name)));
  for (const [name, value] of Object.entries(one)) {
    if (isReadsParam(tool, name)) continue;
    const wanted = other[name];
    if (!Object.hasOwn(other, name)) both[name] = value;
    else if (isCeiling(name, value) && isCeiling(name, wanted)) both[name] = Math.min(value, wanted);
    else if (tool === 'http_fetch' && name === 'hosts' && Array.isArray(value) && Array.isArray(wanted))
      both[name] = value.filter((host) => wanted.includes(host));
    else if (includesValue(value, wanted)) both[name] = value;
    else if (!includesValue(wanted, value)) return null;
  }
  return reads.length ? { ...both, reads } : both;
}
