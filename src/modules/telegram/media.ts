// What people send that is no text. None of it is read; what was written beside it is.
import type { Message } from './bot-api.ts';

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

/** What a message holds beside text, in a word; null when it holds nothing else. */
export function mediumOf(message: Message): string | null {
  const field = Object.keys(media).find((name) => message[name] !== undefined);
  return field === undefined ? null : (media[field] ?? null);
}
