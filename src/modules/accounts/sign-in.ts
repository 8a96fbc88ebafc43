import type { Caller } from '#kernel/caller';
import type { Db, Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { readPresented } from '#platform/database';
import type { Kysely } from 'kysely';
import { hashCredential, newCredential } from './secrets.ts';
import { consumeSignInLink, findSignInLink, insertSession, insertSignInLink, revokeSession } from './store/sessions.ts';

const linkLivesMs = 15 * 60 * 1000;
const sessionLivesMs = 30 * 24 * 60 * 60 * 1000;

export type SignInLink = { url: string; expiresAt: Date };

/** Makes a link that signs a person in once, within 15 minutes. */
export async function makeSignInLink(
  db: Db,
  link: { id: string; workspaceId: string; personId: string; isHumanSurface: boolean; publicUrl: string; at: Date },
): Promise<SignInLink> {
  const { publicUrl, ...grant } = link;
  const token = newCredential('tl');
  const expiresAt = new Date(link.at.getTime() + linkLivesMs);
  await insertSignInLink(db, { ...grant, tokenHash: hashCredential(token), expiresAt });
  // The token stands in the fragment, so that it reaches no server log and no Referer header.
  return { url: `${publicUrl}/sign-in#${token}`, expiresAt };
}

/** What the web face needs to sign people in and out. */
export type SignIn = {
  /** Uses a link up and opens a session. Answers the session's token, for a cookie. */
  withLink(token: string, userAgent: string | null): Promise<{ token: string; expiresAt: Date }>;
  out(caller: Caller): Promise<void>;
};

export function createSignIn(options: {
  db: Kysely<unknown>;
  transactions: Transactions;
  now: () => Date;
  newId: () => string;
}): SignIn {
  const { db, transactions, now, newId } = options;
  return {
    async withLink(token, userAgent) {
      const link = await readPresented(db, hashCredential(token), (presented) =>
        findSignInLink(presented, hashCredential(token)),
      );
      if (!link) throw usedUp();
      const at = now();
      return transactions.run(link.workspace_id, 'write', async (bound) => {
        if (!(await consumeSignInLink(bound, link.id, at))) throw usedUp();
        const session = newCredential('ts');
        const expiresAt = new Date(at.getTime() + sessionLivesMs);
        await insertSession(bound, {
          id: newId(),
          workspaceId: link.workspace_id,
          personId: link.person_id,
          tokenHash: hashCredential(session),
          isHumanSurface: link.is_human_surface,
          userAgent: userAgent?.slice(0, 400) ?? null,
          at,
          expiresAt,
        });
        return { token: session, expiresAt };
      });
    },
    async out(caller) {
      if (caller.kind !== 'session') return;
      await transactions.run(caller.workspaceId, 'write', (bound) => revokeSession(bound, caller.id, now()));
    },
  };
}

function usedUp(): AppError {
  return new AppError(
    'unauthenticated',
    'This sign-in link was used or has expired. Make a new one with `npx thalamus sign-in`, or ask who runs this server.',
  );
}
