import { z } from 'zod';
import { turnRoles } from './store/chats.ts';

export const sessionKey = z.string().trim().min(1).max(200).describe("The client's name of the session.");

/** The most characters that a hook can send in one command. */
export const turnContent = z.string().trim().min(1).max(200_000);

export const turnRole = z.enum(turnRoles).describe('The speaker: the person, the model, or anything else.');

export const clientName = z
  .string()
  .trim()
  .toLowerCase()
  .max(40)
  .regex(/^[a-z0-9_.-]{1,40}$/, 'a short name, such as claude')
  .default('claude')
  .describe('Which client it was said in.');

/** Newer releases of the Claude Code plugin send it with each turn. */
export const clientType = z
  .string()
  .trim()
  .max(40)
  .optional()
  .describe('The kind of client, such as cli. It is not stored.');

export const captured = z.object({
  stored: z.boolean().describe('False: it was stored before, or capture is turned off.'),
  capture: z.enum(['on', 'off']).describe('off: the person turned it off with set_chat_capture.'),
  chat_id: z.uuid().nullable(),
  turns: z.number().int().describe('How many turns the conversation has now.'),
  page_id: z.uuid().nullable(),
});
