import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { withWorkspaceBound, withPresentedHashes } from '#platform/database';
import { z } from 'zod';
import { checkHuman } from '../sessions/human.ts';
import { ownWorkspaceId } from '../ids.ts';
import { hashIdentity } from '../identity-hashes.ts';
import { makeSignInLink } from '../sessions/sign-in-links.ts';
import { readIdentityId, listPeopleByIdentity } from '../store/people.ts';
import { findSessionProofTime } from '../store/sessions.ts';
import { createNotFoundError } from '#kernel/errors';

const linkLivesMs = 60_000;

/** Needs the address of the console, so the composition root creates it. */
export function switchWorkspace(publicUrl: string) {
  return defineOperation({
    name: 'switch_workspace',
    summary: 'Switch to another workspace of yours: get a link that opens a session there once, within a minute.',
    toolset: 'accounts',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true,
    access: { scope: 'sign_in_links:create', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/workspaces/{workspace_id}/switch' }],
    input: z.strictObject({ workspace_id: ownWorkspaceId }),
    output: z.object({
      workspace_id: z.uuid(),
      url: z.string().describe('Send its token, after the #, to POST /auth/sign-in, which sets the cookie.'),
      expires_at: z.iso.datetime(),
      single_use: z.literal(true),
    }),
    errors: ['forbidden', 'not_found'],
    examples: [{ title: 'The other team', input: { workspace_id: createExampleId('own_workspace') } }],
    async run(ctx, { workspace_id: workspaceId }) {
      checkHuman(ctx);
      const { db, caller, now: at } = ctx;
      const identityId = await readIdentityId(db, caller.personId);
      const people = await withPresentedHashes(db, [hashIdentity(identityId)], () =>
        listPeopleByIdentity(db, identityId),
      );
      const person = people.find((each) => each.workspace_id === workspaceId);
      if (!person) throw createNotFoundError('workspace');
      const provedAt = (await findSessionProofTime(db, caller.id)) ?? new Date(0); // switching is not a fresh proof
      const link = await withWorkspaceBound(db, workspaceId, () =>
        makeSignInLink(db, {
          id: ctx.newId(),
          workspaceId,
          personId: person.id,
          isHumanSurface: true,
          madeBySession: caller.id,
          provedAt,
          livesMs: linkLivesMs,
          publicUrl,
          at,
        }),
      );
      return {
        workspace_id: workspaceId,
        url: link.url,
        expires_at: link.expiresAt.toISOString(),
        single_use: true as const,
      };
    },
  });
}
