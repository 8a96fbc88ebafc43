// Names of the pages that a row of a Notion database mentions: a relation has their ids alone.
import { writePath, formatText, readValue } from '#providers/http';
import { allowWithheld, type ReadApi } from '#providers/reading';

/** The most related pages of a row whose names are asked for. */
const mostOfRow = 25;
/** The most names that are asked for in one reading. */
const mostAsked = 1_000;

/** The page with the titles of its related pages; `isWhole`: no title is missing. */
export type NameRelations = (page: unknown) => Promise<{ page: unknown; isWhole: boolean }>;

/** Makes the function for one reading, which asks for a name once: many rows mention the same pages. */
export function createNameRelations(api: ReadApi): NameRelations {
  const titles = new Map<string, Promise<string>>();

  /** Empty for a page that this account may not see, or when too many were asked for. */
  function findTitle(id: string): Promise<string> {
    const known = titles.get(id);
    if (known) return known;
    if (titles.size >= mostAsked) return Promise.resolve('');
    const title = readTitle(api, id);
    titles.set(id, title);
    return title;
  }

  return async (original) => {
    const page = structuredClone(original);
    const mentions = [readValue(page, 'properties.*.relation')]
      .flat(10)
      .filter((each) => typeof each === 'object' && each !== null);
    let isWhole = mentions.length <= mostOfRow;
    await Promise.all(
      mentions.slice(0, mostOfRow).map(async (mention) => {
        const id = readValue(mention, 'id');
        const title = typeof id === 'string' ? await findTitle(id) : '';
        isWhole &&= title !== '';
        Object.assign(mention, { title });
      }),
    );
    return { page, isWhole };
  };
}

async function readTitle(api: ReadApi, id: string): Promise<string> {
  const page = await allowWithheld(api.ask({ path: writePath`/pages/${id}` }));
  return formatText(readValue(page, 'properties.*.title.+.plain_text')).trim();
}
