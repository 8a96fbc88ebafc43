import type { Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { findConnection } from '#modules/connections';
import { findPhoneCaller } from './find-phone-caller.ts';
import type { BotRow } from '../store/bots.ts';
import { findLinkOfChat, type LinkRow } from '../store/links.ts';
import { TakenOver } from '../taken-over.ts';

/** A person with the phone they write from. */
export type Speaker = { link: LinkRow; caller: Caller };

/** The person of a chat with a bot; null when no permitted person has it. */
export async function findSpeaker(db: Db, bot: BotRow, chatId: number): Promise<Speaker | null> {
  const connection = await findConnection(db, bot.connection_id);
  if (connection?.status !== 'active') throw new TakenOver(); // disconnected while it was listened to
  const link = await findLinkOfChat(db, bot.connection_id, chatId);
  const caller = link && (await findPhoneCaller(db, link));
  // A person's bot serves only that person; the workspace's bot serves every member.
  if (!caller || !(connection.is_shared || connection.person_id === link.person_id)) return null;
  return { link, caller };
}
