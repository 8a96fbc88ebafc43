import { queryOptions } from '@tanstack/react-query';
import type { Output } from '#sdk';
import { call } from '../../api/call.ts';

/** A bot, and the person's own phone at it. */
export type TelegramLink = TelegramLinks['links'][number];

export type TelegramLinks = Output<'list_telegram_links'>;

/** The person's bots, whose phone is linked to each, and what can be texted. */
export const telegramQuery = queryOptions({
  queryKey: ['telegram'],
  queryFn: ({ signal }) => call('list_telegram_links', {}, { signal }),
});

/** A link that opens Telegram on a phone, once. */
export type PhoneCode = Output<'link_telegram'>;

export function linkPhone(connectionId: string): Promise<Output<'link_telegram'>> {
  return call('link_telegram', { connection_id: connectionId });
}

export function unlinkPhone(connectionId: string): Promise<unknown> {
  return call('unlink_telegram', { connection_id: connectionId });
}
