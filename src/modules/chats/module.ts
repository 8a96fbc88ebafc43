import { defineModule } from '#kernel/module';
import { getMeteredLlm } from '#modules/usage';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { chatResource } from './ids.ts';
import { createTitlesRound } from './model-titles.ts';
import { deleteChatSession } from './operations/delete-chat-session.ts';
import { getOvernightDigest } from './operations/get-overnight-digest.ts';
import { ingestChatTurn } from './operations/ingest-chat-turn.ts';
import { listChatSessions } from './operations/list-chat-sessions.ts';
import { listDevices } from './operations/list-devices.ts';
import { reportDevice } from './operations/report-device.ts';
import { saveChatSession } from './operations/save-chat-session.ts';
import { setChatCapture } from './operations/set-chat-capture.ts';
import { portableChats } from './portable.ts';

/** Conversations with agents, captured for people who allow it. */
export const chatsModule = defineModule<Ground>({
  name: 'chats',
  portable: portableChats,
  resources: [chatResource],
  operations: () => [
    ingestChatTurn,
    saveChatSession,
    listChatSessions,
    deleteChatSession,
    setChatCapture,
    getOvernightDigest,
    reportDevice,
    listDevices,
  ],
  work(ground, calls) {
    const llm = getMeteredLlm(ground);
    return llm
      ? { eachMinute: [createTitlesRound({ llm, transactions: ground.transactions, calls, now, newId })] }
      : {};
  },
});
