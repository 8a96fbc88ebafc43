import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { withPresentedHashes } from '#platform/database';
import { z } from 'zod';
import { createOwnedWorkspace } from '../sign-in/enter.ts';
import { checkHuman } from '../sessions/human.ts';
import { hashIdentity } from '../identity-hashes.ts';
import { maySignUp, type SignUp } from '../sign-in/sign-up.ts';
import { listProvedAddresses } from '../store/identities.ts';
import { findPerson, readIdentityId, listPeopleByIdentity, createPersonRemovedError } from '../store/people.ts';
import { workspaceName } from '../workspaces/workspace-fields.ts';

/** More than any person needs; each takes rows of its own. */
const mostOwned = 50;

/** Needs to know who may sign up, so the composition root creates it. */
export function createWorkspace(signUp: SignUp) {
  return defineOperation({
    name: 'create_workspace',
    summary: 'Create another workspace, which you own. Go there with switch_workspace.',
    toolset: 'accounts',
    effect: 'write',
    access: { scope: 'sign_in_links:create', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/workspaces' }],
    input: z.strictObject({ name: workspaceName }),
    output: z.object({ workspace_id: z.uuid(), name: z.string(), role: z.literal('owner') }),
    errors: ['forbidden', 'conflict'],
    examples: [{ title: 'A workspace for another company', input: { name: 'Acme' } }],
    async run(ctx, { name: workspaceName }) {
      checkHuman(ctx);
      const { db, caller } = ctx;
      const identityId = await readIdentityId(db, caller.personId);
      const person = await findPerson(db, caller.personId);
      if (!person) throw createPersonRemovedError();
      const { workspaceId } = await withPresentedHashes(db, [hashIdentity(identityId)], async () => {
        await checkMay(ctx, identityId, signUp);
        const owner = {
          identityId,
          email: await chooseOwnerAddress(ctx, identityId, person.email),
          name: person.name,
          workspaceName,
        };
        return createOwnedWorkspace(db, owner, { at: ctx.now, newId: ctx.newId });
      });
      return { workspace_id: workspaceId, name: workspaceName, role: 'owner' as const };
    },
  });
}

/**
 * The owner's address in the new workspace: a proved one, if there is one. Otherwise the later owner of a passed-on
 * invitation's address would get a workspace of the person who opened the link.
 */
async function chooseOwnerAddress({ db }: Context, identityId: string, email: string): Promise<string> {
  const proved = await listProvedAddresses(db, identityId);
  return proved.includes(email.toLowerCase()) ? email : (proved[0] ?? email);
}

/** Owners may, and people who may sign up anyway. */
async function checkMay({ db }: Context, identityId: string, signUp: SignUp): Promise<void> {
  const owned = (await listPeopleByIdentity(db, identityId)).filter(({ role }) => role === 'owner').length;
  if (owned >= mostOwned)
    throw new AppError('conflict', `You own ${mostOwned} workspaces. Delete one that is no longer needed first.`);
  if (owned > 0 || (await listProvedAddresses(db, identityId)).some((email) => maySignUp(signUp, email))) return;
  throw new AppError('forbidden', 'On this server only owners of a workspace can create another one. Ask one of them.');
}
