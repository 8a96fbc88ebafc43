// Looks up known pages that are missing from a Notion search: a search may leave out pages.
import { writePath, ProviderError, readValue } from '#providers/http';
import type { ReadApi } from '#providers/reading';

/** The most look-ups of one reading; the others follow in the next reading. */
const mostAsked = 500;
const askedAtOnce = 10;
const deepest = 20;

type NotionKind = 'pages' | 'blocks' | 'data_sources' | 'databases';
/** The fields that may contain the parent's id. */
const parents: readonly { path: string; kind: NotionKind }[] = [
  { path: 'parent.page_id', kind: 'pages' },
  { path: 'parent.block_id', kind: 'blocks' },
  { path: 'parent.data_source_id', kind: 'data_sources' },
  { path: 'parent.database_id', kind: 'databases' },
];

/** Finds an object by its id; undefined: it does not exist. */
type FindObject = (kind: NotionKind, id: string) => Promise<unknown>;

/** The missing pages that still exist, or may exist. */
export async function findPresentPages(api: ReadApi, missing: readonly string[]): Promise<string[]> {
  const answers = new Map<string, Promise<unknown>>();
  // A shared parent is not looked up again.
  const find: FindObject = (kind, id) => {
    const name = `${kind} ${id}`;
    const answer = answers.get(name) ?? readThing(api, kind, id);
    answers.set(name, answer);
    return answer;
  };
  const asked = missing.slice(0, mostAsked);
  const present = missing.slice(mostAsked);
  for (let start = 0; start < asked.length; start += askedAtOnce) {
    const some = asked.slice(start, start + askedAtOnce);
    const found = await Promise.all(some.map((id) => isPresent(find, id)));
    present.push(...some.filter((_id, place) => found[place]));
  }
  return present;
}

/** A page exists unless it is not found, or unless it or one of its parents is in the trash. */
async function isPresent(find: FindObject, id: string): Promise<boolean> {
  let found = await find('pages', id);
  if (found === undefined) return false;
  for (let depth = 0; found !== undefined && depth < deepest; depth += 1) {
    if (readValue(found, 'in_trash')) return false;
    const parent = findParent(found);
    // The account may not see the parent.
    found = parent && (await find(parent.kind, parent.id));
  }
  return true;
}

function findParent(thing: unknown): { kind: NotionKind; id: string } | undefined {
  for (const { path, kind } of parents) {
    const id = readValue(thing, path);
    if (typeof id === 'string') return { kind, id };
  }
  return undefined;
}

/** Undefined when it does not exist. A refused object proves nothing. */
async function readThing(api: ReadApi, kind: NotionKind, id: string): Promise<unknown> {
  try {
    return await api.ask({ path: writePath`/${kind}/${id}` });
  } catch (error) {
    if (error instanceof ProviderError && error.category === 'not_found') return undefined;
    if (error instanceof ProviderError && error.category === 'permission') return {};
    throw error;
  }
}
