import { isAtConsole } from '#kernel/caller';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { withPresentedHashes } from '#platform/database';
import { z } from 'zod';
import { sessionId } from '../ids.ts';
import { hashIdentity } from '../identity-hashes.ts';
import { readIdentityId } from '../store/people.ts';
import { revokeSession } from '../store/sessions.ts';

export const endSession = defineOperation({
  name: 'end_session',
  summary: 'Sign out a browser. Every server process refuses its session within a second.',
  toolset: 'accounts',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'keys:write', isForPeople: true },
  rest: [{ method: 'DELETE', path: '/v1/sign-ins/{session_id}' }],
  input: z.strictObject({ session_id: sessionId }),
  output: z.object({ session_id: z.uuid(), ended: z.literal(true) }),
  errors: ['not_found', 'forbidden'],
  examples: [{ title: 'The laptop was lost', input: { session_id: createExampleId('session') } }],
  async run(ctx, { session_id }) {
    const { db, caller, now } = ctx;
    const identityId = await readIdentityId(db, caller.personId);
    // For a session in another workspace of the same person, the identity must be presented.
    const presented = isAtConsole(caller) ? [hashIdentity(identityId)] : [];
    await withPresentedHashes(db, presented, () => revokeSession(db, session_id, now));
    return { session_id, ended: true as const };
  },
});
