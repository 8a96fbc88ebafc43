import { defineEvent, type EventScope } from '#kernel/event';
import { z } from 'zod';
import type { VariableTier } from './tiers.ts';

/** A variable was set or deleted. It has ids only: not even the name. */
export const variableChanged = defineEvent(
  'variable.changed',
  'variables:read',
  z.object({ variable_id: z.uuid(), var_scope: z.string(), change: z.enum(['set', 'deleted']) }),
);

/** Who receives the event: the members of the brain, the person, or everybody. */
export function getTierEventScope({ scope, scopeId }: VariableTier): EventScope {
  if (scope === 'brain') return { brainId: scopeId };
  return scope === 'person' ? { personId: scopeId } : {};
}
