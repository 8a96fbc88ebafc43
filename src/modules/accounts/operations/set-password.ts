import type { Db } from '#kernel/database';
import { defineOperation } from '#kernel/operation';
import { withWorkspaceBound } from '#platform/database';
import { z } from 'zod';
import { checkFreshOrFirst } from '../sessions/human.ts';
import { withOwnIdentity } from '../sessions/own-identity.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import { findOfKind, insertAuthenticator, removeAuthenticator } from '../store/authenticators.ts';
import { dropPendingSignIns } from '../store/pending.ts';
import { listPeopleByIdentity } from '../store/people.ts';
import { revokeSessionsOfIdentity } from '../store/sessions.ts';
import { dropLinksOfPerson } from '../store/sign-in-links.ts';

export const setPassword = defineOperation({
  name: 'set_password',
  summary: 'Set or change your password. Your other sessions, links and unfinished sign-ins end.',
  toolset: 'accounts',
  effect: 'write',
  access: { scope: 'keys:write', isForPeople: true },
  rest: [{ method: 'PUT', path: '/v1/me/password' }],
  input: z.strictObject({
    password: z.string().min(10, 'must have 10 characters or more').max(200).describe('10 characters or more.'),
  }),
  output: z.object({ authenticator_id: z.uuid() }),
  errors: ['forbidden', 'rate_limited'],
  examples: [{ title: 'A long password', input: { password: 'correct horse battery staple' } }],
  async run(ctx) {
    await checkFreshOrFirst(ctx);
    return null;
  },
  // After the commit: computing a hash takes a while, and no transaction should wait for it.
  async afterCommit(ctx, _checked, { password }) {
    const hash = await hashPassword(password);
    const id = ctx.newId();
    await ctx.transact((inner) =>
      withOwnIdentity(inner, async (identityId) => {
        const before = await findOfKind(inner.db, identityId, 'password');
        if (before) await removeAuthenticator(inner.db, before.id);
        const row = { id, identity_id: identityId, kind: 'password' as const, label: 'Password', lookup_hash: null };
        await insertAuthenticator(inner.db, { ...row, data: { hash }, confirmed_at: inner.now, at: inner.now });
        if (before) await revokeSessionsOfIdentity(inner.db, identityId, inner.now, ctx.caller.id);
        await dropUnfinishedSignIns(inner.db, identityId);
      }),
    );
    return { authenticator_id: id };
  },
});

/** Ends the links and unfinished sign-ins of an identity, in every workspace. */
async function dropUnfinishedSignIns(db: Db, identityId: string): Promise<void> {
  for (const { id, workspace_id } of await listPeopleByIdentity(db, identityId))
    await withWorkspaceBound(db, workspace_id, async () => {
      await dropLinksOfPerson(db, id);
      await dropPendingSignIns(db, id);
    });
}
