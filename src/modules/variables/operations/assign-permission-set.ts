import { createExampleId } from '#kernel/examples';
import { itemId } from '#kernel/ids';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { permissionSetId } from '../ids.ts';
import { assignSet, takeSetFrom } from '../store/permission-sets.ts';
import { checkMayChange } from '../access/tier-rules.ts';

export const assignPermissionSet = defineOperation({
  name: 'assign_permission_set',
  summary: 'Assign a permission set to an agent, in place of its former one; null removes it.',
  toolset: 'variables',
  effect: 'write',
  isWidening: true,
  access: { scope: 'permission_sets:write', isForPeople: true },
  rest: [{ method: 'POST', path: '/v1/permission-sets/assignments' }],
  input: z.strictObject({
    permission_set_id: permissionSetId.nullable().describe('Null removes its present one.'),
    caller: itemId('key').describe('The agent: the id of its key, from `list_keys`.'),
  }),
  output: z.object({ permission_set_id: z.uuid().nullable(), caller: z.uuid() }),
  errors: ['forbidden', 'not_found'],
  examples: [
    {
      title: 'Give a role',
      input: { permission_set_id: createExampleId('permission_set'), caller: createExampleId('key') },
    },
    { title: 'Take it away', input: { permission_set_id: null, caller: createExampleId('key') } },
  ],
  async run(ctx, { permission_set_id, caller }) {
    await checkMayChange(ctx, { scope: 'permission_set', scopeId: permission_set_id ?? '' });
    const holder = { kind: 'key', id: caller } as const;
    const { workspaceId: workspace_id, personId: assigned_by } = ctx.caller;
    if (permission_set_id === null) await takeSetFrom(ctx.db, holder);
    else await assignSet(ctx.db, holder, { workspace_id, permission_set_id, assigned_by, assigned_at: ctx.now });
    return { permission_set_id, caller };
  },
});
