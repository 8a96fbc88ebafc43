// What a sign-in link shows before it is used: who signs in, and where.
import { AppError } from '#kernel/errors';
import { presentSecret } from '#platform/one-time-secrets';
import { linkPurpose } from '../sessions/sign-in-links.ts';
import type { SignInOptions } from './sign-in-ways.ts';
import { findPerson } from '../store/people.ts';
import { findSignInLink } from '../store/sign-in-links.ts';
import { findWorkspaceName } from '../store/workspaces.ts';

/**
 * `person`: null for somebody who becomes a person through the link. `workspace`: null for somebody who signs up for
 * their own.
 */
export type LinkPreview = {
  person: { id: string; name: string } | null;
  email: string;
  workspaceId: string;
  workspace: string | null;
  /** Whether it is an invitation that anybody who opens it can accept. */
  isPassedOn: boolean;
};

/** Reads a link without using it up. Throws `unauthenticated` for one that does not work. */
export async function readLinkPreview(
  { db, transactions, now }: Pick<SignInOptions, 'db' | 'transactions' | 'now'>,
  token: string,
): Promise<LinkPreview> {
  const presented = await presentSecret(db, linkPurpose, token);
  if (!presented || presented.usedAt || presented.expiresAt <= now()) throw createLinkUsedUpError();
  const { workspaceId, subjectId } = presented;
  return transactions.run(workspaceId, 'read', async (bound) => {
    const link = await findSignInLink(bound, subjectId);
    const person = link?.person_id ? await findPerson(bound, link.person_id) : undefined;
    if (!link || (link.person_id !== null && !person)) throw createLinkUsedUpError();
    const workspace = link.signs_up ? null : await findWorkspaceName(bound, workspaceId);
    return {
      person: person ? { id: person.id, name: person.name } : null,
      email: person?.email ?? link.email ?? '',
      workspaceId,
      workspace,
      isPassedOn: link.person_id === null && !link.mailed,
    };
  });
}

export function createLinkUsedUpError(): AppError {
  return new AppError(
    'unauthenticated',
    'This sign-in link was used or has expired. Make a new one with `npx thalamus sign-in`, or ask who runs this server.',
  );
}
