import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { renameWorkspace } from '../store/workspaces.ts';
import { workspaceName } from '../workspaces/workspace-fields.ts';

export const updateWorkspace = defineOperation({
  name: 'update_workspace',
  summary: 'Rename the workspace.',
  toolset: 'accounts',
  effect: 'write',
  access: { scope: 'workspace:admin', isForPeople: true },
  rest: [{ method: 'PATCH', path: '/v1/workspace' }],
  input: z.strictObject({ name: workspaceName }),
  output: z.object({ workspace_id: z.uuid(), name: z.string() }),
  errors: ['forbidden'],
  examples: [{ title: 'The company has a new name', input: { name: 'Acme Europe' } }],
  async run({ db, caller }, { name }) {
    await renameWorkspace(db, caller.workspaceId, name);
    return { workspace_id: caller.workspaceId, name };
  },
});
