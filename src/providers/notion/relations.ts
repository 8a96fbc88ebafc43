// Names of the pages that a row of a Notion database refers to: a relation contains only their ids.
import { writePath, formatText, readValue } from '#providers/http';
import { allowWithheld, type ReadApi } from '#providers/reading';

/** The most related pages of a row whose names are requested. */
const mostOfRow = 25;
/** The most names that are requested in one reading. */
const mostAsked = 1_000;

/** The page with the titles of its related pages; `isWhole`: no title is missing. */
export type NameRelations = (page: unknown) => Promise<{ page: unknown; isWhole: boolean }>;

/** Creates the function for one reading. It requests each name once, because many rows refer to the same pages. */
export function createNameRelations(api: ReadApi): NameRelations {
  const titles = new Map<string, Promise<string>>();

  /** Empty for a page that this account may not see, or when the limit of requests is reached. */
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
