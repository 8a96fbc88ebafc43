import { defineEvent } from '#kernel/event';
import { z } from 'zod';
import type { ConnectionRow } from './store/connections.ts';

/** Something about an integration is different now. It names what, by id and key, and nothing else (SE-090). */
export const integrationChanged = defineEvent(
  'integration.changed',
  'connections:read',
  z.object({ provider: z.string(), connection_id: z.uuid().optional() }),
);

/** A linked account is new, different or over. Those who may use it are told. */
export function connectionChanged(row: Pick<ConnectionRow, 'id' | 'provider' | 'is_shared' | 'person_id'>) {
  const scope = row.is_shared ? {} : { personId: row.person_id };
  return integrationChanged({ provider: row.provider, connection_id: row.id }, scope);
}

/** The workspace's OAuth client at a provider is new or different. */
export function clientChanged(provider: string) {
  return integrationChanged({ provider });
}
