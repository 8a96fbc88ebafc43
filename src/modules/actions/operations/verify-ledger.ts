import { defineOperation } from '#kernel/operation';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import { openKey } from '../ledger/key.ts';
import { verifyLedger as verify } from '../ledger/verify.ts';

const head = z.strictObject({
  seal: z.number().int().min(1),
  mac: z
    .string()
    .max(64)
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'),
});

export function verifyLedger(vault: Vault) {
  return defineOperation({
    name: 'verify_ledger',
    summary: 'Verify the ledger of the workspace: each row, each chain and each seal.',
    toolset: 'accounts',
    effect: 'read',
    access: { scope: 'workspace:admin', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/ledger/verify' }],
    input: z.strictObject({
      head: head.optional().describe('The `head` of an earlier answer. Everything before it must still exist.'),
    }),
    output: z.object({
      is_whole: z.boolean(),
      faults: z.array(z.string()).describe('The errors that were found: at most 100.'),
      seals: z.number(),
      drafts: z.number(),
      rows: z.number(),
      unsealed_rows: z.number().describe('Rows without a seal yet. If the number stays high, no server is sealing.'),
      unsealed_since: z.iso.datetime().nullable(),
      head: head.nullable().describe('Store it outside this server, and pass it next time.'),
    }),
    errors: ['forbidden'],
    examples: [{ title: 'Is the ledger intact?', input: {} }],
    async run(ctx, input) {
      const key = await openKey(vault, ctx.db, ctx.caller.workspaceId);
      const { faults, unsealed, ...found } = await verify(ctx.db, key, input.head ?? null);
      return {
        is_whole: faults.length === 0,
        faults,
        ...found,
        unsealed_rows: unsealed.rows,
        unsealed_since: unsealed.since?.toISOString() ?? null,
      };
    },
  });
}
