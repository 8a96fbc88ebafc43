import { defineEvent } from '#kernel/event';
import { z } from 'zod';

/** A client lost its access because a used refresh token was used again: it may have been stolen. */
export const clientDisconnected = defineEvent(
  'connected_client.disconnected',
  'keys:read',
  z.object({ connected_client_id: z.uuid(), client_name: z.string(), reason: z.enum(['refresh_token_reused']) }),
);

/** A client was used from a new network. */
export const clientUsedElsewhere = defineEvent(
  'connected_client.used_elsewhere',
  'keys:read',
  z.object({ connected_client_id: z.uuid(), place: z.string() }),
);
