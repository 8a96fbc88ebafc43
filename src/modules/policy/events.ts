import { defineEvent } from '#kernel/event';
import { z } from 'zod';

/** The workspace's rules for writes outside are others now. */
export const policyChanged = defineEvent('policy.changed', 'actions:read', z.object({ version: z.number().int() }));
