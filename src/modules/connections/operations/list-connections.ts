import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import type { Clients } from '../clients/clients.ts';
import type { FindAccountHolders } from '../holders.ts';
import { connectionOutput, presentConnection } from '../accounts/present.ts';
import { listConnections as listRows } from '../store/connections.ts';

type Options = { clients: Clients; publicUrl: string; findHolders: FindAccountHolders };

export function listConnections({ clients, publicUrl, findHolders }: Options) {
  return defineOperation({
    name: 'list_connections',
    summary: "List the linked accounts and tokens with their state: yours first, then the workspace's.",
    toolset: 'accounts',
    effect: 'read',
    access: { scope: 'connections:read' },
    rest: [{ method: 'GET', path: '/v1/connected-accounts' }],
    input: z.strictObject({
      provider: z.string().min(1).max(60).optional(),
      include_revoked: z.boolean().default(false).describe('Include accounts that were unlinked here.'),
    }),
    output: z.object({ connections: z.array(connectionOutput) }),
    errors: [],
    examples: [{ title: 'What is linked at Google?', input: { provider: 'google' } }],
    async run({ db, caller, now }, { provider, include_revoked }) {
      const rows = await listRows(db, await findHolders(db, caller), { provider });
      const shown = rows.filter(({ status }) => include_revoked || status !== 'revoked');
      const known = new Map((await clients.all(db)).map(({ provider: each }) => [each.name, each]));
      const present = (row: (typeof rows)[number]) =>
        presentConnection(row, { provider: known.get(row.provider), caller, now, publicUrl });
      return { connections: shown.map(present) };
    },
  });
}
