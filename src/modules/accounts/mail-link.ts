// The mailed sign-in link.
import type { Db } from '#kernel/database';
import { inWorkspace, writePresented } from '#platform/database';
import type { Mail } from '#platform/mail';
import { sql, type Kysely } from 'kysely';
import { homeOf } from './home.ts';
import { addressHash, identityHash } from './identity-hashes.ts';
import { makeSignInLink, type SignInLink } from './sign-in-links.ts';
import { identityByAddress } from './store/identities.ts';
import { workspacesInviting } from './store/invitations.ts';
import { peopleByAddress, peopleOfIdentity } from './store/people.ts';
import { lastWorkspaceOf, wasMailedSince } from './store/sessions.ts';

const mailEveryMs = 60 * 1000;

export type MailingLinks = {
  db: Kysely<unknown>;
  publicUrl: string;
  maySignUp: (email: string) => boolean;
  now: () => Date;
  newId: () => string;
};

/**
 * A link for the owner of an address: to the named workspace if they belong to it or are invited, otherwise to their
 * last used one. Null when the address is unknown and may not sign up, and when a link was mailed in the last minute.
 */
export async function linkForAddress(
  options: MailingLinks,
  email: string,
  named: string | undefined,
): Promise<SignInLink | null> {
  const { db, publicUrl, now, newId } = options;
  const at = now();
  return writePresented(db, [addressHash(email)], async (tx) => {
    const known = await placeOf(tx, email, named);
    const signsUp = known === undefined && options.maySignUp(email);
    const workspaceId = known?.workspaceId ?? (signsUp ? await homeOf(tx) : undefined);
    if (!workspaceId) return null;
    const to = known?.personId ? { personId: known.personId } : { email: email.toLowerCase() };
    return inWorkspace(tx, workspaceId, async () => {
      if (await wasMailedSince(tx, to, new Date(at.getTime() - mailEveryMs))) return null;
      const link = { ...to, id: newId(), workspaceId, isHumanSurface: true, mailed: true, signsUp, publicUrl, at };
      return makeSignInLink(tx, link);
    });
  });
}

/** The workspace of the link, and its person there; null, if they are only invited. */
async function placeOf(db: Db, email: string, named: string | undefined) {
  const hash = addressHash(email);
  const inviting = await workspacesInviting(db, hash);
  const identityId = await identityByAddress(db, hash);
  if (identityId)
    await sql`select set_config('thalamus.presented_hash', ${identityHash(identityId)}, true)`.execute(db);
  const people = identityId ? await peopleOfIdentity(db, identityId) : await peopleByAddress(db, hash);
  const all = [...people.map(({ workspace_id }) => workspace_id), ...inviting];
  const last = identityId && (await lastWorkspaceOf(db, identityId));
  const workspaceId = [named, last, ...all].find((id) => id && all.includes(id));
  if (!workspaceId) return undefined;
  // A link for a person proves their address in that workspace.
  const person = people.find(
    (each) => each.workspace_id === workspaceId && each.email.toLowerCase() === email.toLowerCase(),
  );
  return { workspaceId, personId: person?.id };
}

export async function mailLink(mail: Mail, email: string, { url }: SignInLink): Promise<void> {
  const text = `Open this link to sign in. It works once, within 15 minutes.\n\n${url}\n\nIf you did not ask for it, do nothing.\n`;
  await mail.send({ to: email, subject: 'Your sign-in link', text });
}
