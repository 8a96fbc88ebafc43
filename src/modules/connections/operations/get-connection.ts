import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import type { Clients } from '../clients/clients.ts';
import { connectionId } from '../ids.ts';
import { connectionOutput, presentConnection } from '../accounts/present.ts';
import { findConnection } from '../store/connections.ts';

export function getConnection({ clients, publicUrl }: { clients: Clients; publicUrl: string }) {
  return defineOperation({
    name: 'get_connection',
    summary: 'Show one linked account: its state, permissions, last use, last renewal and expiry.',
    toolset: 'accounts',
    effect: 'read',
    access: { scope: 'connections:read' },
    rest: [{ method: 'GET', path: '/v1/connected-accounts/{connection_id}' }],
    input: z.strictObject({ connection_id: connectionId }),
    output: connectionOutput,
    errors: ['not_found'],
    examples: [{ title: 'One account', input: { connection_id: createExampleId('connection') } }],
    async run({ db, caller, now }, { connection_id }) {
      const row = await findConnection(db, connection_id);
      if (!row) throw new Error('a connection that was just found is missing');
      return presentConnection(row, { provider: await clients.provider(db, row.provider), caller, now, publicUrl });
    },
  });
}
