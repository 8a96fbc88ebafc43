import { itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateChats } from './store/chats.ts';

export const chatId = itemId('chat').describe('Id of a captured conversation, from `list_chat_sessions`.');

/** Only its person sees a conversation. */
export const chatResource = defineResource({
  kind: 'chat',
  noun: 'conversation',
  locate: (db, ids, caller) => locateChats(db, ids, caller.personId),
});
