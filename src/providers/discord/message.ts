// What a message of Discord says: its text, its embeds, a forwarded message, a poll, components, the names of its files.
// https://docs.discord.com/developers/resources/message
import { valueAt } from '#providers/http';
import type { MessageWords } from '#providers/reading';

/** Components within components: Discord itself has three levels. */
const deepest = 6;
const mostCharacters = 200_000;

/** The words of a message and its author. */
export function readDiscordMessage(message: unknown): MessageWords {
  const by = textAt(message, 'author.username');
  return { words: linesOf(message).join('\n').slice(0, mostCharacters).toWellFormed(), by };
}

/** A forward has its message in a snapshot. */
function linesOf(message: unknown): string[] {
  return [
    ...textsAt(message, 'content'),
    ...listAt(message, 'embeds').flatMap(readEmbed),
    ...listAt(message, 'components').flatMap((each) => readComponent(each, 0)),
    ...listAt(message, 'message_snapshots').flatMap((snapshot) => [
      'Forwarded:',
      ...linesOf(valueAt(snapshot, 'message')),
    ]),
    ...textsAt(message, 'poll.question.text'),
    ...listAt(message, 'poll.answers').flatMap((answer) =>
      textsAt(answer, 'poll_media.text').map((text) => `- ${text}`),
    ),
    ...listAt(message, 'sticker_items').flatMap((sticker) =>
      textsAt(sticker, 'name').map((name) => `Sticker: ${name}`),
    ),
    ...listAt(message, 'attachments').flatMap(readFile),
  ];
}

/** https://docs.discord.com/developers/resources/message#embed-object */
function readEmbed(embed: unknown): string[] {
  const fields = listAt(embed, 'fields').flatMap((field) => {
    const [name, value] = [textAt(field, 'name'), textAt(field, 'value')];
    return name && value ? [`${name}: ${value}`] : [name || value].filter(Boolean);
  });
  return [
    ...textsAt(embed, 'provider.name'),
    ...textsAt(embed, 'author.name'),
    ...textsAt(embed, 'title'),
    ...textsAt(embed, 'description'),
    ...fields,
    ...textsAt(embed, 'footer.text'),
  ];
}

/** https://docs.discord.com/developers/components/reference */
function readComponent(component: unknown, depth: number): string[] {
  if (depth > deepest) return [];
  const parts = [...listAt(component, 'components'), ...listAt(component, 'items'), valueAt(component, 'accessory')];
  return [
    ...['content', 'label', 'description', 'placeholder'].flatMap((name) => textsAt(component, name)),
    ...parts.flatMap((each) => readComponent(each, depth + 1)),
  ];
}

function readFile(file: unknown): string[] {
  const name = textAt(file, 'title') || textAt(file, 'filename');
  return name ? [`File: ${name}`, ...textsAt(file, 'description')] : [];
}

function textAt(value: unknown, path: string): string {
  const text = valueAt(value, path);
  return typeof text === 'string' ? text.trim() : '';
}

function textsAt(value: unknown, path: string): string[] {
  return [textAt(value, path)].filter(Boolean);
}

function listAt(value: unknown, path: string): unknown[] {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list : [];
}
