import type { PageDocument } from './requests.ts';

/** One message of a mail thread. */
export type MailMessage = { id: string | null; from: string; date: string | null; text: string };

const between = '\n\n---\n\n';
const head = /^From: (.*)\n?(?:Date: (\S+)\n?)?(?:\n?Attachments: .*\n?)?(?:\n([\s\S]*))?$/;

/**
 * The messages of a thread, oldest first. If the text has another number of parts than there are message ids, it is
 * shown as one, because quoted text may look like a message.
 */
export function parseMailMessages({ body, frontmatter, author, occurred_at }: PageDocument): MailMessage[] {
  const messageIds = frontmatter['message_ids'];
  const ids = Array.isArray(messageIds) ? messageIds.map(String) : [];
  const split = body.split(between);
  const parts = ids.length > 1 && split.length === ids.length ? split : [body];
  return parts.map((part, at) => {
    const [, from = '', date = '', text = ''] = head.exec(part) ?? [];
    const isKnown = head.test(part);
    return {
      id: parts.length === ids.length ? (ids[at] ?? null) : null,
      from: from.trim() || author || '',
      date: isTime(date) ? date : parts.length === 1 ? occurred_at : null,
      text: (isKnown ? text : part).trim(),
    };
  });
}

function isTime(text: string): boolean {
  return text !== '' && !Number.isNaN(Date.parse(text));
}
