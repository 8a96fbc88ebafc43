// The words of a Discord message: its text, its embeds, a forwarded message, a poll, components, the names of its files.
// https://docs.discord.com/developers/resources/message
import { readValue } from '#providers/http';
import type { MessageWords } from '#providers/reading';

/** Components within components: Discord itself has three levels. */
const deepest = 6;
const mostCharacters = 200_000;

/** The words of a message and its author. */
export function readDiscordMessage(message: unknown): MessageWords {
  const by = readTextAt(message, 'author.username');
  return { words: listLines(message).join('\n').slice(0, mostCharacters).toWellFormed(), by };
}

/** A forward has its message in a snapshot. */
function listLines(message: unknown): string[] {
  return [
    ...readTextsAt(message, 'content'),
    ...readListAt(message, 'embeds').flatMap(readEmbed),
    ...readListAt(message, 'components').flatMap((each) => readComponent(each, 0)),
    ...readListAt(message, 'message_snapshots').flatMap((snapshot) => [
      'Forwarded:',
      ...listLines(readValue(snapshot, 'message')),
    ]),
    ...readTextsAt(message, 'poll.question.text'),
    ...readListAt(message, 'poll.answers').flatMap((answer) =>
      readTextsAt(answer, 'poll_media.text').map((text) => `- ${text}`),
    ),
    ...readListAt(message, 'sticker_items').flatMap((sticker) =>
      readTextsAt(sticker, 'name').map((name) => `Sticker: ${name}`),
    ),
    ...readListAt(message, 'attachments').flatMap(readFile),
  ];
}

/** https://docs.discord.com/developers/resources/message#embed-object */
function readEmbed(embed: unknown): string[] {
  const fields = readListAt(embed, 'fields').flatMap((field) => {
    const [name, value] = [readTextAt(field, 'name'), readTextAt(field, 'value')];
    return name && value ? [`${name}: ${value}`] : [name || value].filter(Boolean);
  });
  return [
    ...readTextsAt(embed, 'provider.name'),
    ...readTextsAt(embed, 'author.name'),
    ...readTextsAt(embed, 'title'),
    ...readTextsAt(embed, 'description'),
    ...fields,
    ...readTextsAt(embed, 'footer.text'),
  ];
}

/** https://docs.discord.com/developers/components/reference */
function readComponent(component: unknown, depth: number): string[] {
  if (depth > deepest) return [];
  const parts = [
    ...readListAt(component, 'components'),
    ...readListAt(component, 'items'),
    readValue(component, 'accessory'),
  ];
  return [
    ...['content', 'label', 'description', 'placeholder'].flatMap((name) => readTextsAt(component, name)),
    ...parts.flatMap((each) => readComponent(each, depth + 1)),
  ];
}

function readFile(file: unknown): string[] {
  const name = readTextAt(file, 'title') || readTextAt(file, 'filename');
  return name ? [`File: ${name}`, ...readTextsAt(file, 'description')] : [];
}

function readTextAt(value: unknown, path: string): string {
  const text = readValue(value, path);
  return typeof text === 'string' ? text.trim() : '';
}

function readTextsAt(value: unknown, path: string): string[] {
  return [readTextAt(value, path)].filter(Boolean);
}

function readListAt(value: unknown, path: string): unknown[] {
  const list = readValue(value, path);
  return Array.isArray(list) ? list : [];
}
