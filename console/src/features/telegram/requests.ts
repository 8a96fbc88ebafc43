import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** A bot, and the person's own phone at it. */
export type TelegramLink = {
  connection_id: string;
  bot: string;
  bot_url: string;
  state: 'off' | 'listening' | 'failing';
  failure: string | null;
  linked_as: string | null;
  linked_at: string | null;
  last_heard_at: string | null;
  brain_name: string | null;
};

export type TelegramLinks = {
  links: TelegramLink[];
  commands: { command: string; takes: string | null; description: string }[];
  /** Whether a language model reads what is texted. */
  understands_wishes: boolean;
};

/** The person's bots, whose phone is linked to each, and what can be texted. */
export const telegramQuery = queryOptions({
  queryKey: ['telegram'],
  queryFn: ({ signal }) => call<TelegramLinks>('list_telegram_links', {}, { signal }),
});

/** A link that opens Telegram on a phone, once. */
export type PhoneCode = { url: string; bot: string; expires_at: string };

export function linkPhone(connectionId: string): Promise<PhoneCode> {
  return call('link_telegram', { connection_id: connectionId });
}

export function unlinkPhone(connectionId: string): Promise<unknown> {
  return call('unlink_telegram', { connection_id: connectionId });
}
