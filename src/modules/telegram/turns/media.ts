// Messages that are not text. Their content is not read; their caption is.
import type { Message } from '../bot-api.ts';

const media: Readonly<Record<string, string>> = {
  photo: 'picture',
  voice: 'voice message',
  audio: 'sound',
  video: 'video',
  video_note: 'video message',
  animation: 'animation',
  document: 'file',
  sticker: 'sticker',
  location: 'place',
  venue: 'place',
  contact: 'contact',
  poll: 'poll',
};

/** The kind of a message's other content, in a word; null without any. */
export function findMedium(message: Message): string | null {
  const field = Object.keys(media).find((name) => message[name] !== undefined);
  return field === undefined ? null : (media[field] ?? null);
}
