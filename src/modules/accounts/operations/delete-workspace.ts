import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { checkFresh } from '../sessions/human.ts';
import { checkOwner } from '../people/roles.ts';
import { deleteWorkspace as removeWorkspace, findWorkspaceName } from '../store/workspaces.ts';
import { readHomeWorkspaceId } from '../workspaces/home-workspace.ts';

export const deleteWorkspace = defineOperation({
  name: 'delete_workspace',
  summary: 'Delete the workspace with everything in it, permanently. Only its owner may do this, at the console.',
  toolset: 'accounts',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'workspace:admin', isForPeople: true },
  rest: [{ method: 'DELETE', path: '/v1/workspace' }],
  input: z.strictObject({
    confirm: z.string().max(300).describe('The exact name of the workspace, as a safeguard against mistakes.'),
  }),
  output: z.object({ deleted: z.literal(true), workspace_id: z.uuid() }),
  errors: ['forbidden', 'conflict', 'invalid_input'],
  examples: [{ title: 'A company that closed', input: { confirm: 'Acme' } }],
  async run(ctx, { confirm }) {
    await checkFresh(ctx);
    checkOwner(ctx);
    const name = await findWorkspaceName(ctx.db, ctx.caller.workspaceId);
    if (confirm !== name)
      throw new AppError('invalid_input', `confirm: must be the exact name of the workspace, «${name}».`);
    if ((await readHomeWorkspaceId(ctx.db)) === ctx.caller.workspaceId)
      throw new AppError(
        'conflict',
        'This is the first workspace of the server, which the server itself needs. To delete it, delete the data of the server.',
      );
    return { workspaceId: ctx.caller.workspaceId };
  },
  // After the commit, because the audit record of this call also belongs to the workspace and is deleted with it.
  async afterCommit(ctx, { workspaceId }) {
    await ctx.transact((inner) => removeWorkspace(inner.db));
    return { deleted: true as const, workspace_id: workspaceId };
  },
});
