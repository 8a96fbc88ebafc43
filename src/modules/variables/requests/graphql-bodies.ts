// Finds GraphQL in the bodies of requests: a POST that is declared as a read may not carry a mutation.
import { GraphQLError } from 'graphql/error';
import { Kind, parse } from 'graphql/language';
import { listHandles } from '#platform/egress';

/** Fields whose text a GraphQL server carries out. Servers of Go read the names of fields in any case. */
const textFields = new Set([
  'query',
  'queries',
  'mutation',
  'subscription',
  'document',
  'operations',
  'graphql',
  'gql',
]);
/** Fields that name a text which the server knows, and which may be a mutation. */
const nameFields = new Set(['operationname', 'persistedquery', 'sha256hash', 'documentid', 'doc_id', 'queryid']);
const writingWords = ['mutation', 'subscription'];

/** Whether a text is GraphQL that only queries, with fragments. */
export function isQueriesAlone(text: string): boolean {
  try {
    return parse(text, { maxTokens: 5_000 }).definitions.every(
      (each) =>
        each.kind === Kind.FRAGMENT_DEFINITION ||
        (each.kind === Kind.OPERATION_DEFINITION && each.operation === 'query'),
    );
  } catch (error) {
    if (error instanceof GraphQLError) return false;
    throw error;
  }
}

/** An object or list of JSON. Null: the text is neither, or repeats a name, which servers read in different ways. */
export function parsePlainJson(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const names = listFields(value).filter(({ name }) => name !== null);
    return names.length === countColons(text) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** How many colons stand outside the strings of a JSON text: one for each name. */
function countColons(text: string): number {
  let [count, isInString] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isInString = !isInString;
    else if (isInString && text[at] === '\\') at += 1;
    else if (!isInString && text[at] === ':') count += 1;
  }
  return count;
}

/** Whether a GraphQL server might find a text in this that is not known, or that writes. Errs on the safe side. */
export function mayHoldGraphql(value: object): boolean {
  return listFields(value).some(({ name, value: each }) => {
    const plain = name?.toLowerCase() ?? '';
    if (listHandles(plain).length || nameFields.has(plain)) return true;
    if (typeof each !== 'string') return false;
    if (textFields.has(plain) && listHandles(each).length) return true;
    return (
      each.includes('{') && (textFields.has(plain) || writingWords.some((word) => each.toLowerCase().includes(word)))
    );
  });
}

type NamedValue = { name: string | null; value: unknown };

/** All values in a value, with the names of their fields; items of lists have none. Deep values cost no stack. */
function listFields(root: object): NamedValue[] {
  const values: NamedValue[] = [];
  const waiting: object[] = [root];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const isList = Array.isArray(next);
    for (const [name, value] of Object.entries(next)) {
      values.push({ name: isList ? null : name, value });
      if (typeof value === 'object' && value !== null) waiting.push(value);
    }
  }
  return values;
}
