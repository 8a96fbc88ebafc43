import { defineEvent } from '#kernel/event';
import { z } from 'zod';

/** A phone was linked to a bot or unlinked, or listening to the bot began, failed or ended. */
export const telegramChanged = defineEvent(
  'telegram.changed',
  'connections:read',
  z.object({ connection_id: z.uuid() }),
);
