import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { checkFreshOrFirst } from '../sessions/human.ts';
import { buildPasskeyCreationOptions } from '../sign-in/passkeys.ts';
import { findPerson, readIdentityId, createPersonRemovedError } from '../store/people.ts';

/** Needs the address of the console, to which a passkey is bound, so the composition root creates it. */
export function beginPasskey(publicUrl: string) {
  return defineOperation({
    name: 'begin_passkey',
    summary: 'Begin to add a passkey: get the options that the browser needs to create one, for add_passkey.',
    toolset: 'accounts',
    effect: 'write',
    hasSecretAnswer: true,
    access: { scope: 'keys:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/me/passkeys/begin' }],
    input: z.strictObject({}),
    output: z.object({
      options: z
        .record(z.string(), z.unknown())
        .describe('PublicKeyCredentialCreationOptionsJSON, valid for 5 minutes.'),
    }),
    errors: ['forbidden'],
    examples: [{ title: 'This laptop', input: {} }],
    async run(ctx) {
      await checkFreshOrFirst(ctx);
      const { db, caller, now: at } = ctx;
      const person = await findPerson(db, caller.personId);
      if (!person) throw createPersonRemovedError();
      const challenge = { id: ctx.newId(), workspaceId: caller.workspaceId, boundTo: caller.id, at };
      const identityId = await readIdentityId(db, caller.personId);
      return {
        options: { ...(await buildPasskeyCreationOptions(db, challenge, { ...person, identityId }, publicUrl)) },
      };
    },
  });
}
