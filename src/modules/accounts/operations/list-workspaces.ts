import { isAtConsole } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { defineOperation } from '#kernel/operation';
import { withWorkspaceBound, withPresentedHashes } from '#platform/database';
import { z } from 'zod';
import { hashIdentity } from '../identity-hashes.ts';
import { findInvitationsTo } from '../people/invitations-to.ts';
import { findPerson, readIdentityId, listPeopleByIdentity } from '../store/people.ts';
import { findWorkspaceName } from '../store/workspaces.ts';

type WorkspaceMembership = { workspaceId: string; role: 'owner' | 'admin' | 'member'; since: Date | null };

export const listWorkspaces = defineOperation({
  name: 'list_workspaces',
  summary: 'List your workspaces. A key sees only its own workspace.',
  toolset: 'accounts',
  effect: 'read',
  access: { scope: 'brains:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/workspaces' }],
  input: z.strictObject({}),
  output: z.object({
    workspaces: z.array(
      z.object({
        workspace_id: z.uuid(),
        name: z.string(),
        role: z.enum(['owner', 'admin', 'member']),
        is_current: z.boolean().describe('The workspace of the calling session or key.'),
        joined_at: z.iso.datetime().nullable(),
      }),
    ),
    invitations: z
      .array(
        z.object({
          workspace_id: z.uuid(),
          name: z.string(),
          email: z.string().describe('Your invited address.'),
          role: z.enum(['admin', 'member']),
          invited_by: z.string(),
        }),
      )
      .describe('Workspaces that invited you, shown to a person at the console; accept_invitation joins one.'),
  }),
  errors: ['forbidden'],
  examples: [{ title: 'Where do I belong?', input: {} }],
  async run(ctx) {
    const workspaces = [];
    for (const { workspaceId, role, since } of await listMemberships(ctx)) {
      const name = await withWorkspaceBound(ctx.db, workspaceId, () => findWorkspaceName(ctx.db, workspaceId));
      const is_current = workspaceId === ctx.caller.workspaceId;
      workspaces.push({
        workspace_id: workspaceId,
        name,
        role,
        is_current,
        joined_at: since?.toISOString() ?? null,
      });
    }
    return { workspaces, invitations: await listOwnInvitations(ctx) };
  },
});

async function listOwnInvitations({ db, caller }: Context) {
  if (!isAtConsole(caller)) return [];
  const invitations = await findInvitationsTo(db, await readIdentityId(db, caller.personId));
  return invitations.map(({ workspaceId: workspace_id, workspace: name, email, role, invitedBy: invited_by }) => ({
    workspace_id,
    name,
    email,
    role,
    invited_by,
  }));
}

async function listMemberships({ db, caller }: Context): Promise<WorkspaceMembership[]> {
  const { workspaceId, personId, role } = caller;
  if (!isAtConsole(caller)) return (await findPerson(db, personId)) ? [{ workspaceId, role, since: null }] : [];
  const identityId = await readIdentityId(db, personId);
  const people = await withPresentedHashes(db, [hashIdentity(identityId)], () => listPeopleByIdentity(db, identityId));
  return people.map((person) => ({
    workspaceId: person.workspace_id,
    role: person.role,
    since: person.created_at,
  }));
}
