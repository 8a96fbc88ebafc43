// Conversations that move with their brain, so that they can continue. They belong to the person who imports them.
import { archived } from '#kernel/portable';
import { definePortableTable } from '#modules/brains';
import { pageTarget } from '#modules/pages';
import { z } from 'zod';
import { turnRoles } from './store/chats.ts';

const { id, time, count, text } = archived;
const scopes = { scope: 'pages:read', writeScope: 'pages:write' } as const;

/** Two people can have used the same session name in a brain. Then only one of them can be the importer's. */
const isFirstOfName = (chat: string) => `not exists (
  select from chat_sessions as earlier where earlier.brain_id = ${chat}.brain_id and earlier.session_id = ${chat}.session_id and earlier.id < ${chat}.id)`;

const chats = definePortableTable({
  kind: 'chat_session',
  table: 'chat_sessions',
  ...scopes,
  key: { id: 'uuid' },
  ids: ['id'],
  leadsTo: { page_id: pageTarget },
  person: ['person_id'],
  only: isFirstOfName('item'),
  row: z.strictObject({
    id,
    session_id: text(200).min(1),
    client: text(40).min(1),
    title: text(10_000),
    summary: text(100_000),
    titled_by: z.enum(['rules', 'model', 'given']),
    page_id: id.nullable(),
    page_ref: id,
    turns: count,
    part: count.min(1),
    part_from: count,
    part_length: count,
    turns_told: count,
    started_at: time,
    last_turn_at: time,
  }),
});

const turns = definePortableTable({
  kind: 'chat_turn',
  table: 'chat_turns',
  ...scopes,
  key: { chat_id: 'uuid', position: 'integer' },
  ids: ['chat_id'],
  partOf: { column: 'chat_id', table: 'chat_sessions' },
  only: `exists (select from chat_sessions as chat where chat.id = item.chat_id and ${isFirstOfName('chat')})`,
  row: z.strictObject({
    chat_id: id,
    position: count,
    role: z.enum(turnRoles),
    content: text(200_000).min(1),
    said_at: time,
  }),
});

export const portableChats = [chats, turns];
