// Reads the items of a JSON file one after another: a file may be larger than the longest JavaScript string.
import { JSONParser } from '@streamparser/json';

/** An error in the JSON, reported after everything that was read before it. */
export class BrokenJson extends Error {}

/** Fields that contain the list when the file is an object: the answers of mem0, and lists that somebody wrapped. */
const listFields = ['results', 'memories', 'conversations'];

/** The items of the list in a file. An object without a list is one item. Throws `BrokenJson` after the last readable one. */
export async function* readJsonItems(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  let parser: ReturnType<typeof createParser> | null = null;
  for await (const chunk of chunks) {
    const text = parser ? chunk : withoutMark(chunk);
    parser ??= createParser(isList(text));
    yield* parser.write(text);
  }
  if (parser) yield* parser.end();
}

function createParser(isOfList: boolean) {
  // An object is kept completely, in case it is itself an item.
  const parser = new JSONParser(isOfList ? { paths: ['$.*'], keepStack: false } : { paths: ['$'] });
  let items: unknown[] = [];
  let broken: Error | null = null;
  parser.onValue = ({ value }) => void items.push(...(isOfList ? [value] : listItems(value)));
  parser.onError = (error) => void (broken ??= error);
  const run = (work: () => void): unknown[] => {
    if (!broken)
      try {
        work();
      } catch (error) {
        broken ??= error as Error; // the parser throws only errors
      }
    const taken = items;
    items = [];
    return taken;
  };
  return {
    write: (chunk: Uint8Array) => run(() => parser.write(chunk)),
    *end() {
      yield* run(() => void (parser.isEnded || parser.end()));
      if (broken) throw new BrokenJson('The JSON is damaged or cut off.', { cause: broken });
    },
  };
}

function listItems(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const list = listFields.map((name) => (value as Record<string, unknown>)[name]).find(Array.isArray); // an object has fields
  return (list as unknown[] | undefined) ?? [value];
}

function isList(beginning: Uint8Array): boolean {
  return /^\s*\[/.test(Buffer.from(beginning.subarray(0, 1_000)).toString('latin1'));
}

/** Without the byte order mark that some editors write. */
function withoutMark(beginning: Uint8Array): Uint8Array {
  return beginning[0] === 0xef && beginning[1] === 0xbb && beginning[2] === 0xbf ? beginning.subarray(3) : beginning;
}
