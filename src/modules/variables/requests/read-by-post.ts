// Whether a POST is a read that a person declared: to one exact address, and asking nothing there that may write.
import { AppError } from '#kernel/errors';
import { declaredReadSchema, type DeclaredRead } from '#kernel/declared-reads';
import { EgressError, findGetWriter, listHandles, listReadings, parseAddress } from '#platform/egress';
import { isFormType, readForm } from '#platform/forms';
import { mayHoldGraphql, parsePlainJson, isQueriesAlone } from './graphql-bodies.ts';
import { checkOwnMethod } from './own-method.ts';

const mostLines = 20;
const mostFields = 1_000;
const graphqlPaths = ['graphql', 'graphiql', 'gql'];

/** A request of `http_fetch`, of which nothing is sure yet: code wrote it. */
type PostRequest = { method?: unknown; url?: unknown; headers?: unknown; body?: unknown };

/** Whether a request is a POST that one of these lines declares as a read. */
export function isDeclaredRead(reads: readonly DeclaredRead[], { method, url, headers, body }: PostRequest): boolean {
  if (method !== 'POST' || typeof url !== 'string' || !reads.length) return false;
  const address = readAddress(url);
  if (!address || findGetWriter(address) !== undefined) return false;
  if (body !== undefined && typeof body !== 'string') return false;
  const fields = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
  return reads.some((line) => line.url === address.href && isReadingBody(line, fields, body ?? ''));
}

function readAddress(url: string): URL | null {
  try {
    return parseAddress(url);
  } catch (error) {
    if (error instanceof EgressError) return null;
    throw error;
  }
}

/** Only JSON and forms: what a server reads in any other body, nobody here can tell. */
function isReadingBody({ graphql }: DeclaredRead, headers: [string, unknown][], body: string): boolean {
  const valuesOf = (name: string) => headers.filter(([each]) => each.trim().toLowerCase() === name);
  const [type, ...others] = valuesOf('content-type').map(([, value]) => String(value).toLowerCase());
  if (others.length || valuesOf('content-encoding').length || !isUtf8(type ?? '')) return false;
  if (body === '') return graphql === undefined;
  if (isJsonType(type ?? '')) {
    const value = parsePlainJson(body);
    if (value === null) return false;
    return graphql === undefined ? !mayHoldGraphql(value) : hasOnlyText(graphql, value);
  }
  if (graphql !== undefined || !isFormType(type) || body.includes(';')) return false;
  const { fields, isWhole } = readForm(body, mostFields);
  return (
    isWhole && fields.every(([name, value]) => !`${name}${value}`.includes('{') && !mayHoldGraphql({ [name]: value }))
  );
}

function isJsonType(type: string): boolean {
  const [plain = ''] = type.split(';').map((each) => each.trim());
  return plain === 'application/json' || (plain.startsWith('application/') && plain.endsWith('+json'));
}

function isUtf8(type: string): boolean {
  const [, ...parameters] = type.split(';').map((each) => each.trim());
  return parameters.every((each) => each === '' || each.replaceAll('"', '') === 'charset=utf-8');
}

/** Whether a body asks the one text that was accepted, and nothing beside it. */
function hasOnlyText(graphql: string, value: object): boolean {
  const names = new Set(['query', 'variables', 'operationName']);
  return (
    !Array.isArray(value) &&
    Object.keys(value).every((name) => names.has(name)) &&
    (value as { query?: unknown }).query === graphql
  );
}

/** Throws `invalid_input` for lines of a grant that no person could judge, or that name hosts the grant does not reach. */
export function checkDeclaredReads(lines: unknown, hosts: readonly string[]): void {
  if (!Array.isArray(lines) || !lines.length || lines.length > mostLines)
    throw createLineError(`must be a list of 1 to ${mostLines} lines {method: "POST", url}`);
  for (const given of lines) {
    const parsed = declaredReadSchema.safeParse(given);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw createLineError(`${issue?.path.join('.') || 'a line'}: ${issue?.message ?? 'has another form'}`);
    }
    checkAddress(parsed.data, hosts);
    checkText(parsed.data);
  }
}

function checkAddress({ url }: DeclaredRead, hosts: readonly string[]): void {
  const address = readAddress(url);
  if (!address) throw createLineError(`the address ${url} is not valid`);
  if (address.href !== url) throw createLineError(`write the exact address as it leaves: ${address.href}`);
  if (url.includes('{') || listHandles(url).length)
    throw createLineError(`${url} depends on a value. Name a constant address; send secrets in a header or the body`);
  if (listReadings(address).length > 1)
    throw createLineError(`servers may read the path of ${url} in several ways. Write it plainly`);
  checkOwnMethod({ url });
  const service = findGetWriter(address);
  if (service !== undefined) throw createLineError(`${service} carries out whatever it is asked for`);
  if (!hosts.includes(address.hostname))
    throw createLineError(`${address.hostname} is none of the hosts of this grant. Acknowledge it, too`);
}

function checkText({ url, graphql }: DeclaredRead): void {
  if (graphql === undefined && graphqlPaths.some((name) => url.toLowerCase().includes(name)))
    throw createLineError(`${url} looks like GraphQL. Give its text as graphql; it must be constant`);
  if (graphql === undefined) return;
  if (graphql.includes('{{') || listHandles(graphql).length)
    throw createLineError('graphql depends on a value. Put what differs into variables');
  if (!isQueriesAlone(graphql))
    throw createLineError('graphql must parse as queries alone: no mutation, no subscription');
}

function createLineError(why: string): AppError {
  return new AppError('invalid_input', `tool_grants: reads of http_fetch: ${why}.`);
}
