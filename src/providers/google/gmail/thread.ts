import type { NewPage } from '#kernel/page';
import type { Mail } from './message.ts';
import { cutQuotedHistory } from '#providers/reading';

/** A thread as a page of the type `email`: its messages in order, oldest first. */
export function buildThreadPage(
  thread: { id: string; mails: readonly Mail[] },
  { account, labelNames }: { account: string; labelNames: ReadonlyMap<string, string> },
): NewPage {
  const mails = thread.mails.toSorted((one, other) => one.date.getTime() - other.date.getTime());
  const [first] = mails;
  const last = mails.at(-1);
  if (!first || !last) throw new Error('a thread without messages has no page');
  const attachments = mails.flatMap((mail) => mail.attachments);
  const title = first.subject || '(no subject)';
  const hasOtherSubjects = mails.some((mail) => mail.subject !== first.subject);
  const labels = listUnique(mails.flatMap((mail) => mail.labelIds)).map((id) => labelNames.get(id) ?? id);
  return {
    sourceRef: `gmail:${account}:${thread.id}`,
    source: `gmail:${account}`,
    type: 'email',
    title,
    body: mails.map(writeMessage).join(betweenMessages),
    frontmatter: {
      from: first.from,
      to: listUnique(mails.flatMap((mail) => mail.to)),
      cc: listUnique(mails.flatMap((mail) => mail.cc)),
      participants: listUnique(mails.map((mail) => mail.from)),
      date: last.date.toISOString(),
      thread_id: thread.id,
      message_ids: mails.map((mail) => mail.id),
      ...(hasOtherSubjects && { subjects: mails.map((mail) => mail.subject) }),
      labels: labels.toSorted(),
      account,
      has_attachments: attachments.length > 0,
    },
    attachments,
    author: first.from || null,
    occurredAt: last.date,
  };
}

const betweenMessages = '\n\n---\n\n';

function writeMessage({ from, date, text, attachments }: Mail, position: number): string {
  const files = attachments.map((file) => file.filename).join(', ');
  const head = [`From: ${from}`, `Date: ${date.toISOString()}`, ...(files ? [`Attachments: ${files}`] : [])];
  // Only the first message keeps its quoted text.
  const own = position === 0 ? text : cutQuotedHistory(text);
  // The separator between messages never appears inside one, so a sender cannot write a mail that looks like two.
  return `${head.join('\n')}\n\n${own.replaceAll(/^---(?=\s*$)/gm, '- - -')}`.trimEnd();
}

function listUnique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
