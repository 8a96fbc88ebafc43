import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { countOtherKeys, deleteValue, listKeys, readValue, swapValue, writeValue } from '../store/kv.ts';

const mostKeys = 10_000;
const longestValue = 65_536;

export const automationKv = defineOperation({
  name: 'automation_kv',
  summary:
    "Read and write the automation's own small store, for cursors and ids that were seen. Only code of a run can call it.",
  toolset: 'automations',
  effect: 'write',
  access: { scope: 'automations:read' },
  input: z.strictObject({
    op: z.enum(['get', 'set', 'delete', 'list', 'cas']),
    key: z.string().min(1).max(200).optional(),
    value: z.unknown().optional(),
    expected: z.unknown().optional().describe('For cas: the expected present value; null means no value.'),
    prefix: z.string().max(200).optional(),
  }),
  output: z.object({
    value: z.unknown().optional(),
    ok: z.boolean().optional(),
    keys: z.array(z.string()).optional(),
    swapped: z.boolean().optional(),
  }),
  errors: ['invalid_input', 'forbidden', 'plan_limit'],
  examples: [{ title: 'The position of the last run', input: { op: 'get', key: 'cursor' } }],
  async run(ctx, { op, key, value, expected, prefix = '' }) {
    const of = getCallingAutomation(ctx);
    if (op === 'list') return { keys: await listKeys(ctx.db, of, prefix) };
    if (key === undefined) throw new AppError('invalid_input', `key: ${op} needs one.`);
    if (op === 'get') return { value: await readValue(ctx.db, of, key) };
    if (op === 'delete') return { ok: await deleteValue(ctx.db, of, key) };
    if (JSON.stringify(value ?? null).length > longestValue)
      throw new AppError('invalid_input', 'value: at most 64 KB as JSON.');
    if ((await countOtherKeys(ctx.db, of, key)) >= mostKeys)
      throw new AppError('plan_limit', `An automation keeps at most ${mostKeys} keys. Delete some first.`);
    if (op === 'cas') return { swapped: await swapValue(ctx.db, of, key, { expected, value }) };
    await writeValue(ctx.db, of, key, value);
    return { ok: true };
  },
});

/** The automation of the calling run. Throws `forbidden` for any other caller. */
function getCallingAutomation({ caller }: Context) {
  if (!caller.run)
    throw new AppError('forbidden', 'automation_kv is only for the code of an automation. Call it there.');
  return { automation_id: caller.id, workspace_id: caller.workspaceId };
}
