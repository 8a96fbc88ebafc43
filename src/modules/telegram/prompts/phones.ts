import type { Db } from '#kernel/database';
import { findConnection, type ConnectionRow } from '#modules/connections';
import { findBots } from '../store/bots.ts';
import { listPhones, type LinkRow } from '../store/links.ts';

/** A person's phone, and the bot that reaches it. */
export type Phone = { link: LinkRow & { chat_id: number }; bot: ConnectionRow };

/**
 * The person's phone at a bot that is connected and listened to. Of several, one that a signed-in person linked, and
 * the most recently used. Null: there is none.
 */
export async function findReachablePhone(db: Db, personId: string): Promise<Phone | null> {
  const phones = await listPhones(db, personId);
  const bots = await findBots(
    db,
    phones.map(({ connection_id }) => connection_id),
  );
  const listening = new Set(bots.flatMap((bot) => (bot.status === 'listening' ? bot.connection_id : [])));
  for (const link of phones.filter(({ connection_id }) => listening.has(connection_id))) {
    const bot = await findConnection(db, link.connection_id);
    if (bot?.status === 'active' && (bot.is_shared || bot.person_id === personId)) return { link, bot };
  }
  return null;
}
