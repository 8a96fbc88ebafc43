import { findOwnId, canDoAllOfPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { findCallerKeyId } from '../caller-key.ts';
import { makeSignInLink } from '../sessions/sign-in-links.ts';
import { findSessionProofTime } from '../store/sessions.ts';

/** A person's own link is not a fresh proof: it opens a session that proved no more than the one that created it. */
async function findProofTime({ db, caller }: Context): Promise<Date | null> {
  return caller.isHumanSurface ? ((await findSessionProofTime(db, caller.id)) ?? new Date(0)) : null;
}

/** Needs the address of the console, so the composition root creates it. */
export function createSignInLink(publicUrl: string) {
  return defineOperation({
    name: 'create_sign_in_link',
    summary: 'Create a link that signs you in to the web console once, within 15 minutes.',
    toolset: 'accounts',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true,
    access: { scope: 'sign_in_links:create', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/sign-in-links' }],
    input: z.strictObject({}),
    output: z.object({ url: z.string(), expires_at: z.iso.datetime(), single_use: z.literal(true) }),
    errors: ['forbidden'],
    examples: [{ title: 'Open the console', input: {} }],
    async run(ctx) {
      if (!canDoAllOfPerson(ctx.caller)) {
        throw new AppError(
          'forbidden',
          'A session has all rights of its person, and this key does not. Use the owner key.',
        );
      }
      const link = await makeSignInLink(ctx.db, {
        id: ctx.newId(),
        workspaceId: ctx.caller.workspaceId,
        personId: ctx.caller.personId,
        isHumanSurface: ctx.caller.isHumanSurface, // a session that a key opened is not a human surface
        madeByKey: await findCallerKeyId(ctx),
        madeBySession: findOwnId(ctx.caller, 'session'),
        provedAt: await findProofTime(ctx),
        publicUrl,
        at: ctx.now,
      });
      return { url: link.url, expires_at: link.expiresAt.toISOString(), single_use: true as const };
    },
  });
}
