import { defineEvent } from '#kernel/event';
import { z } from 'zod';

/** The workspace's rules for writes outside changed. */
export const policyChanged = defineEvent('policy.changed', 'actions:read', z.object({ version: z.number().int() }));
