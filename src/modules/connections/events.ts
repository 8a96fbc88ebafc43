import { defineEvent } from '#kernel/event';
import { z } from 'zod';
import type { ConnectionRow } from './store/connections.ts';

/** An integration changed. The event has ids and keys only (SE-090). */
export const integrationChanged = defineEvent(
  'integration.changed',
  'connections:read',
  z.object({ provider: z.string(), connection_id: z.uuid().optional() }),
);

/** A linked account was created, changed or disconnected. The people who may use it receive the event. */
export function buildConnectionChanged(row: Pick<ConnectionRow, 'id' | 'provider' | 'is_shared' | 'person_id'>) {
  const scope = row.is_shared ? {} : { personId: row.person_id };
  return integrationChanged({ provider: row.provider, connection_id: row.id }, scope);
}

/** The workspace's OAuth client at a provider was created or changed. */
export function buildClientChanged(provider: string) {
  return integrationChanged({ provider });
}
