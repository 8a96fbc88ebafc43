// The words of a Slack message: its text, its blocks, its attachments, the messages that it forwards, its files.
// https://docs.slack.dev/messaging, https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments
import type { MessageWords } from '#providers/reading';
import { isFields, splitLines, getList, readBlocks } from './blocks.ts';
import { readSlackText, type Names } from './text.ts';

/** A message with more lines is cut: it is a dump, and comparing its lines takes long. */
const mostLines = 2_000;
const mostCharacters = 200_000;
/** The fallback text that Slack sets for an attachment without one. */
const noFallback = '[no preview available]';
/** How many forwards inside forwards are read. */
const deepest = 5;

/** The words of a message and its author. `names`: people's names by id. */
export function readSlackMessage(message: unknown, names: Names): MessageWords {
  if (!isFields(message)) return { words: '', by: '' };
  return {
    words: listLines(message, names, 0).join('\n').slice(0, mostCharacters).toWellFormed(),
    by: readAuthor(message, names),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Slack shows blocks instead of the text, which then repeats or summarizes them. Equal words are read once. */
function listLines(message: Fields, names: Names, depth: number): string[] {
  const text = readSlackText(readString(message, 'text'), names).trim();
  const rest = [
    ...readBlocks(message['blocks'], names),
    ...getList(message['attachments']).flatMap((each) => readAttachment(each, names, depth)),
    ...getList(message['files']).flatMap(readFile),
  ].slice(0, mostLines);
  const said = listWords(text);
  return [...(text ? [text] : []), ...rest.filter((line) => !said.includes(listWords(line)))];
}

/** The words of a text, for comparison: markup and punctuation differ between a text and its blocks. */
function listWords(text: string): string {
  return ` ${text
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean)
    .join(' ')} `;
}

/**
 * An attachment without other content is read as its fallback. A shared message is an attachment that contains that
 * message.
 */
function readAttachment(attachment: unknown, names: Names, depth: number): string[] {
  if (!isFields(attachment) || depth > deepest) return [];
  const readAt = (...places: string[]) =>
    places.flatMap((name) => splitLines(readSlackText(readString(attachment, name), names)));
  const inside = getList(attachment['message_blocks']).flatMap((shared) =>
    isFields(shared) && isFields(shared['message']) ? listLines(shared['message'], names, depth + 1) : [],
  );
  const text = readAt('text');
  const said = listWords(text.join('\n'));
  const lines = [
    ...readAt('pretext', 'author_name', 'title'),
    ...text,
    ...getList(attachment['fields']).flatMap((field) => readField(field, names)),
    ...[...readBlocks(attachment['blocks'], names), ...inside].filter((line) => !said.includes(listWords(line))),
    ...getList(attachment['attachments']).flatMap((each) => readAttachment(each, names, depth + 1)),
    ...getList(attachment['files']).flatMap(readFile),
    ...readAt('footer'),
  ];
  return lines.length ? lines : readAt('fallback').filter((line) => line !== noFallback);
}

function readField(field: unknown, names: Names): string[] {
  if (!isFields(field)) return [];
  const [title, value] = ['title', 'value'].map((name) => readSlackText(readString(field, name), names).trim());
  return title && value ? splitLines(`${title}: ${value}`) : splitLines(title || value || '');
}

function readFile(file: unknown): string[] {
  const name = isFields(file) ? readString(file, 'title') || readString(file, 'name') : '';
  return name ? [`File: ${name}`] : [];
}

/** Messages of apps may have no user: those of webhooks have their own name. */
function readAuthor(message: Fields, names: Names): string {
  const user = readString(message, 'user');
  const named = Object.hasOwn(names, user) ? names[user] : undefined;
  const profile = isFields(message['bot_profile']) ? readString(message['bot_profile'], 'name') : '';
  return readString(message, 'username') || (typeof named === 'string' ? named : '') || profile;
}

function readString(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}
