// JSONPath (RFC 9535) over JSON from outside: without regular expressions, and within limits of depth, nodes and work.
import { memoize } from '#kernel/memoize';
import { JSONPathEnvironment, JSONPathError, JSONPathQuery, JSONPathRecursionLimitError } from 'json-p3';

/** The deepest JSON that is searched. */
export const deepestJsonPath = 100;
/** How many nodes all steps of a path may visit. */
const mostVisited = 1_000_000;

const environment = new JSONPathEnvironment({ maxRecursionDepth: deepestJsonPath });
// A pattern from outside may take as long as it likes.
for (const name of ['match', 'search']) environment.functionRegister.delete(name);

/** A path that would visit too many nodes, or too deep ones, of this answer. */
export class JsonPathLimitError extends Error {}

/** What is wrong with a path; null: nothing. */
export const findJsonPathError = memoize<string | null>(1_000, (path) => {
  // In a filter, a search of all levels or of the whole answer is repeated for each item.
  const plain = path.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
  const filters = plain.slice(plain.indexOf('?'));
  if (plain.includes('?') && (filters.includes('..') || filters.includes('$')))
    return 'a filter may not search all levels, or begin at $';
  if (plain.split('..').length > 2) return 'it may search all levels once';
  try {
    environment.compile(path);
    return null;
  } catch (error) {
    if (error instanceof JSONPathError) return error.message;
    throw error;
  }
});

/** The locations of the matches, in order: names and positions from the top. */
export function* locateByJsonPath(path: string, value: unknown): Generator<readonly (string | number)[]> {
  const { segments } = environment.compile(path);
  let visited = 0;
  function* count<Node>(nodes: Iterable<Node>): Generator<Node> {
    for (const node of nodes) {
      visited += 1;
      if (visited > mostVisited) throw new JsonPathLimitError(`it visits more than ${mostVisited} values`);
      yield node;
    }
  }
  try {
    // As `lazyQuery` does it, and counted.
    const root = new JSONPathQuery(environment, []).lazyQuery(value as never); // it was read from JSON
    for (const { location } of segments.reduce<Iterable<ReturnType<typeof root.next>['value']>>(
      (nodes, segment) => count(segment.lazyResolve(nodes)),
      root,
    ))
      yield location;
  } catch (error) {
    if (error instanceof JSONPathRecursionLimitError)
      throw new JsonPathLimitError(`the answer has more than ${deepestJsonPath} levels`, { cause: error });
    throw error;
  }
}
