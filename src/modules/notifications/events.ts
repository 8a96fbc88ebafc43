import { defineEvent } from '#kernel/event';
import { z } from 'zod';
import { mailChoices } from './store/draft-mails.ts';

/** A person changed how they are notified of drafts. */
export const notificationsChanged = defineEvent(
  'notifications.changed',
  'actions:read',
  z.object({ mail: z.enum(mailChoices) }),
);
