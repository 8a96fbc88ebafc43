// The folders of a mailbox, at any depth. https://learn.microsoft.com/graph/api/resources/mailfolder
import { writePath, isNotFound, formatText, readValue } from '#providers/http';
import { listLevels, type ListForm, type ReadApi } from '#providers/reading';

const deepest = 20;
/** Only Graph's well-known names show which folders are read first or excluded: display names differ by language. */
const excluded = ['deleteditems', 'junkemail', 'drafts', 'outbox', 'syncissues'];
/** A search folder shows mails of other folders. */
const searchFolder = '#microsoft.graph.mailSearchFolder';

const query = { $select: 'id,displayName,childFolderCount', $top: 100 };

/** A list of Graph. Its answers contain the address of the next page. */
export const graphList: ListForm = { items: 'value', next: (data) => readValue(data, "'@odata.nextLink'") };

/** The folders whose mails are read, the inbox first. `isWhole`: all folders were listed. */
export async function listFolders(api: ReadApi): Promise<{ items: unknown[]; isWhole: boolean }> {
  const [inbox, ...others] = await Promise.all(['inbox', ...excluded].map((name) => findFolder(api, name)));
  const isRead = (folder: unknown) =>
    readValue(folder, "'@odata.type'") !== searchFolder && !others.includes(formatText(readValue(folder, 'id')));
  const list = async (path: string) => (await api.listAllByUrl({ path, query }, graphList)).filter(isRead);
  const { items, isWhole } = await listLevels(await list('/me/mailFolders'), {
    hasBelow: (folder) => Boolean(readValue(folder, 'childFolderCount')),
    listBelow: (folder) => list(writePath`/me/mailFolders/${formatText(readValue(folder, 'id'))}/childFolders`),
    deepest,
  });
  const isInbox = (folder: unknown) => formatText(readValue(folder, 'id')) === inbox;
  return { items: items.toSorted((one, other) => Number(isInbox(other)) - Number(isInbox(one))), isWhole };
}

/** The id of one of Graph's well-known folders. An account may lack some of them. */
async function findFolder(api: ReadApi, name: string): Promise<string | undefined> {
  try {
    return formatText(
      readValue(await api.ask({ path: writePath`/me/mailFolders/${name}`, query: { $select: 'id' } }), 'id'),
    );
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
