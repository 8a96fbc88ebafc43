import { defineEvent } from '#kernel/event';
import { z } from 'zod';

export const connectionChanged = defineEvent(
  'connection.changed',
  z.object({ connection_id: z.uuid(), status: z.enum(['active', 'revoked']) }),
);
