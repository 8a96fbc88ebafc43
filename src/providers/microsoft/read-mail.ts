// Outlook's mail. https://learn.microsoft.com/graph/delta-query-messages
import type { Attachment } from '#kernel/page';
import { writePath, formatText, readValue } from '#providers/http';
import {
  createReadApi,
  createReadFile,
  createReadValue,
  defineStream,
  defineStreamSource,
  joinBlocks,
  describeList,
  readFields,
  writeBlock,
  writeText,
  type AnyStream,
  type ItemContent,
  type ReadApi,
} from '#providers/reading';
import { microsoftApi } from './account.ts';
import { graphList, listFolders } from './folders.ts';
import { prefer, preferDelta } from './prefer.ts';

export const outlookMail = defineStreamSource({
  name: 'outlook_mail',
  label: 'Outlook mail',
  icon: 'Mail',
  description:
    'Mails of all folders but trash, junk and drafts become pages. Mails are sent and archived with your approval.',
  coverage: {
    goesBack: 'Mails of the chosen days; then every change of them, for half a year at a time.',
    notRead: [
      'Drafts, and mails in the trash and in junk.',
      'Files of more than 25 MB, and links to files in OneDrive.',
    ],
  },
  provider: 'microsoft',
  scopes: [
    { scope: 'Mail.Read', why: 'Read your mail.' },
    { scope: 'Mail.ReadWrite', why: 'Store unsent mails, and archive mails with your approval.', for: 'act' },
    { scope: 'Mail.Send', why: 'Send mails with your approval.', for: 'act' },
  ],
  openStreams: (reader) => [createMails(createReadApi(microsoftApi, reader))],
  file: createReadFile(microsoftApi),
});

const fields = 'subject,from,toRecipients,ccRecipients,receivedDateTime,body,conversationId,webLink,hasAttachments';

function createMails(api: ReadApi): AnyStream {
  const name = 'mails';
  return defineStream<unknown>({
    name,
    type: 'email',
    async findLists() {
      const { items, isWhole } = await listFolders(api);
      const lists = items.map((of) => {
        const id = String(readValue(of, 'id'));
        return { ...describeList({ name }, [{ id, label: String(readValue(of, 'displayName') ?? id) }]), of };
      });
      return { lists, isWhole };
    },
    async listPage({ of, since, page }) {
      const path = writePath`/me/mailFolders/${formatText(readValue(of, 'id'))}/messages/delta`;
      const query = { $select: fields, $filter: `receivedDateTime ge ${since}` };
      const answer = await api.askPage({ path, headers: { prefer: preferDelta }, query }, graphList, { url: page });
      return { ...answer, changesAt: formatText(readValue(answer.data, "'@odata.deltaLink'")) || null };
    },
    since: { as: 'iso' },
    readTimes: (mail) => [readValue(mail, 'receivedDateTime')],
    tellsChanges: true,
    areMoved: true,
    buildRef: (mail) => formatText(readValue(mail, 'id')),
    isGone: (mail) => Boolean(readValue(mail, "'@removed'")),
    readItem: (mail, folder) => readMail(api, mail, folder),
  });
}

async function readMail(api: ReadApi, mail: unknown, folder: unknown): Promise<ItemContent> {
  const read = createReadValue(mail);
  const files = read('hasAttachments') ? await listFiles(api, formatText(read('id'))) : [];
  return {
    title: formatText(read('subject')).trim(),
    body: joinBlocks([
      writeBlock`From: ${read('from.emailAddress.address')}\nDate: ${read('receivedDateTime')}`,
      writeBlock`Attachments: ${files.map((file) => readValue(file, 'name'))}`,
      formatText(read('body.content')).trim(),
    ]),
    frontmatter: {
      ...readFields(read, {
        from: 'from.emailAddress.address',
        to: 'toRecipients.*.emailAddress.address',
        cc: 'ccRecipients.*.emailAddress.address',
        date: 'receivedDateTime',
        message_id: 'id',
        thread_id: 'conversationId',
        has_attachments: 'hasAttachments',
        link: 'webLink',
      }),
      ...readFields(createReadValue(folder), { folder: 'displayName' }),
    },
    author: writeText`${read('from.emailAddress.name')} <${read('from.emailAddress.address')}>`,
    occurredAt: read('receivedDateTime'),
    attachments: files.map((file) => buildAttachment(file, formatText(read('id')))),
  };
}

/**
 * https://learn.microsoft.com/graph/api/message-list-attachments: a list without `$select` would contain every file.
 */
async function listFiles(api: ReadApi, mailId: string): Promise<unknown[]> {
  const path = writePath`/me/messages/${mailId}/attachments`;
  const query = { $select: 'name,contentType,size,isInline' };
  const all = await api.listAllByUrl({ path, headers: { prefer }, query }, graphList);
  return all.filter((file) => readValue(file, "'@odata.type'") === '#microsoft.graph.fileAttachment');
}

/** A file of a mail: its metadata, and the request that fetches it. */
function buildAttachment(file: unknown, mailId: string): Attachment {
  const read = createReadValue(file);
  const id = formatText(read('id'));
  return {
    ref: `${mailId}/${id}`,
    filename: formatText(read('name')).trim(),
    mime_type: formatText(read('contentType')).trim() || 'application/octet-stream',
    size: Number(formatText(read('size'))) || 0,
    message_id: mailId,
    handle: {
      url: `${microsoftApi.baseUrl}${writePath`/me/messages/${mailId}/attachments/${id}/$value`}`,
      headers: { prefer },
    },
  };
}
