import { createNotFoundError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import type { Ground } from '#platform';
import { withWorkspaceBound, withPresentedHashes } from '#platform/database';
import { z } from 'zod';
import { checkHuman } from '../sessions/human.ts';
import { hashAddress, hashIdentity } from '../identity-hashes.ts';
import { findInvitationsTo } from '../people/invitations-to.ts';
import { joinAsInvited } from '../people/join.ts';
import { readIdentityId } from '../store/people.ts';

/** Notifies the other workspace of its new person, so the composition root creates it. */
export function acceptInvitation({ emitEvent }: Pick<Ground, 'emitEvent'>) {
  return defineOperation({
    name: 'accept_invitation',
    summary: 'Join a workspace that invited one of your addresses. Signing in alone joins no workspace.',
    toolset: 'accounts',
    effect: 'write',
    isWidening: true,
    access: { scope: 'sign_in_links:create', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/workspaces/{workspace_id}/join' }],
    input: z.strictObject({
      workspace_id: z.uuid().describe('From the invitations of `list_workspaces`.'),
    }),
    output: z.object({ workspace_id: z.uuid(), workspace: z.string(), role: z.enum(['admin', 'member']) }),
    errors: ['forbidden', 'not_found'],
    examples: [{ title: 'The other team', input: { workspace_id: '01920000-0000-7000-8000-000000000001' } }],
    async run(ctx, { workspace_id: workspaceId }) {
      checkHuman(ctx);
      const { db, caller, now: at, newId } = ctx;
      const identityId = await readIdentityId(db, caller.personId);
      const invitation = (await findInvitationsTo(db, identityId)).find((each) => each.workspaceId === workspaceId);
      if (!invitation) throw createNotFoundError('invitation');
      const { email, role, workspace } = invitation;
      const joining = { emitEvent, workspaceId, identityId, email, at, newId };
      const personId = await withPresentedHashes(db, [hashIdentity(identityId), hashAddress(email)], () =>
        withWorkspaceBound(db, workspaceId, () => joinAsInvited(db, joining)),
      );
      if (!personId) throw createNotFoundError('invitation');
      return { workspace_id: workspaceId, workspace, role };
    },
  });
}
