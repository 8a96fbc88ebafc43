import { isAtConsole } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { defineOperation } from '#kernel/operation';
import { withWorkspaceBound, withPresentedHashes } from '#platform/database';
import { z } from 'zod';
import { getVisiblePersonId } from '../ids.ts';
import { hashIdentity } from '../identity-hashes.ts';
import { findPerson, readIdentityId } from '../store/people.ts';
import {
  listSessions as findSessions,
  listSessionsElsewhere,
  signInMethods,
  type OpenSession,
} from '../store/sessions.ts';
import { findWorkspaceName } from '../store/workspaces.ts';

export const listSessions = defineOperation({
  name: 'list_sessions',
  summary:
    "List console sessions: yours; at the console also those in your other workspaces; for administrators everybody's.",
  toolset: 'accounts',
  effect: 'read',
  access: { scope: 'keys:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/sign-ins' }],
  input: z.strictObject({}),
  output: z.object({
    sessions: z.array(
      z.object({
        session_id: z.uuid(),
        person: z.object({ id: z.uuid(), name: z.string() }),
        is_current: z.boolean().describe('The calling session.'),
        workspace: z.object({ id: z.uuid(), name: z.string() }),
        method: z
          .enum(signInMethods)
          .nullable()
          .describe('How it was opened; null for sessions older than this field.'),
        browser: z.string().nullable().describe("The browser's own name (User-Agent)."),
        opened_by_key: z.string().nullable().describe('The key whose link opened it; the session ends with that key.'),
        created_at: z.iso.datetime(),
        last_used_at: z.iso.datetime().nullable().describe('To the minute.'),
        expires_at: z.iso.datetime(),
      }),
    ),
  }),
  errors: ['forbidden'],
  examples: [{ title: 'Where am I signed in?', input: {} }],
  async run(ctx) {
    const { db, caller, now } = ctx;
    const workspace = { id: caller.workspaceId, name: await findWorkspaceName(db, caller.workspaceId) };
    const here = (await findSessions(db, getVisiblePersonId(caller), now)).map((session) => ({
      ...presentSession(session),
      person: { id: session.person_id, name: session.person_name },
      is_current: session.id === caller.id,
      workspace,
      opened_by_key: session.key_label,
    }));
    return { sessions: [...here, ...(isAtConsole(caller) ? await listOtherSessions(ctx) : [])] };
  },
});

/** The person's sessions in other workspaces. */
async function listOtherSessions({ db, caller, now }: Context) {
  const identityId = await readIdentityId(db, caller.personId);
  const sessions = await withPresentedHashes(db, [hashIdentity(identityId)], () =>
    listSessionsElsewhere(db, identityId, now),
  );
  const listed = [];
  for (const session of sessions) {
    const { workspace_id: id, person_id } = session;
    const [name, person] = await withWorkspaceBound(db, id, async () => [
      await findWorkspaceName(db, id),
      await findPerson(db, person_id),
    ]);
    const place = { workspace: { id, name }, person: { id: person_id, name: person?.name ?? '' } };
    listed.push({ ...presentSession(session), ...place, is_current: false, opened_by_key: null });
  }
  return listed;
}

function presentSession(
  session: Pick<OpenSession, 'id' | 'user_agent' | 'method' | 'created_at' | 'last_used_at' | 'expires_at'>,
) {
  return {
    session_id: session.id,
    browser: session.user_agent,
    method: session.method,
    created_at: session.created_at.toISOString(),
    last_used_at: session.last_used_at?.toISOString() ?? null,
    expires_at: session.expires_at.toISOString(),
  };
}
