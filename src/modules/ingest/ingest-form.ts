// The input of an item from another system, and the answer.
import { brainId } from '#modules/brains';
import { incomingActions } from '#modules/memory';
import { z } from 'zod';
import { routingMethods } from './choose-brain.ts';

/** The longest accepted item, in characters. */
export const longestContent = 4_000_000;

const none = z.literal('').transform(() => undefined);
/** Automation products send empty texts for empty fields, and numbers for ids that look like numbers. */
const createOptionalText = (most: number) => z.union([none, z.string().trim().max(most)]).optional();
const createOptionalId = (most: number) =>
  z.union([none, z.string().trim().max(most), z.number().transform(String)]).optional();

/** An item as other systems send it. */
export const ingestInput = z.strictObject({
  content: z.string().trim().min(1).max(longestContent).describe('The text to store.'),
  source_channel: createOptionalText(200).describe(
    'Where on the platform it comes from, such as gmail, fathom or #engineering.',
  ),
  source_user: createOptionalText(300).describe('The sender, such as ada@example.com.'),
  source_id: createOptionalId(500).describe('The sender’s own id of it. Sending the same id again replaces the item.'),
  target_brain_id: z.union([none, brainId]).optional().describe('The brain to store it in, without routing.'),
  thread_id: createOptionalId(200).describe('The conversation it belongs to. A mail thread is stored as one memory.'),
  author: createOptionalText(200).describe('The author. Default: source_user.'),
  role: z.union([none, z.enum(['user', 'assistant', 'other'])]).optional(),
  occurred_at: z
    .union([none, z.iso.datetime({ offset: true })])
    .optional()
    .describe('When it was said. Default: now.'),
});
export type IngestInput = z.output<typeof ingestInput>;

/** The brain of the item. */
export const ingestAnswer = z.object({
  id: z.uuid().nullable().describe('The memory; null when it was dropped.'),
  brain_id: z.uuid().nullable(),
  brain_name: z.string().nullable(),
  source: z.string(),
  source_channel: z.string().nullable(),
  source_user: z.string().nullable(),
  source_label: z.string().describe('platform:channel:identity'),
  auto_routed: z.boolean(),
  routing: z.object({
    method: z.enum([...routingMethods, 'dropped']),
    confidence: z.number().describe('0 to 1. 1: a rule or the sender chose the brain.'),
  }),
  review_id: z.uuid().nullable().describe('Set when the brain was unclear, so that a person should check it.'),
  dedup: z.object({
    action: z.enum([...incomingActions, 'dropped']),
    previous_id: z.uuid().nullable().describe('The earlier version, which stays in its history.'),
  }),
  pages: z.array(z.string()).describe('Slugs of the pages that contain the whole of a long text.'),
});
export type IngestAnswer = z.input<typeof ingestAnswer>;
