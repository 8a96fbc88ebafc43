// The mailed sign-in link.
import type { Db } from '#kernel/database';
import { withWorkspaceBound, writePresented } from '#platform/database';
import type { Jobs } from '#platform/jobs';
import { MailError, type Mail } from '#platform/mail';
import { endSecret } from '#platform/one-time-secrets';
import { sql, type Kysely } from 'kysely';
import { readHomeWorkspaceId } from '../workspaces/home-workspace.ts';
import { hashAddress, hashIdentity } from '../identity-hashes.ts';
import { makeSignInLink, type SignInLink } from '../sessions/sign-in-links.ts';
import { findPresentedIdentity } from '../store/identities.ts';
import { listInvitingWorkspaceIds } from '../store/invitations.ts';
import { listPeopleByAddress, listPeopleByIdentity } from '../store/people.ts';
import { findLastWorkspaceId } from '../store/sessions.ts';
import { dropSignInLink, wasMailedSince } from '../store/sign-in-links.ts';

const mailEveryMs = 60 * 1000;

type MailingLinks = {
  db: Kysely<unknown>;
  publicUrl: string;
  maySignUp: (email: string) => boolean;
  now: () => Date;
  newId: () => string;
};

type MailedLink = SignInLink & { id: string; workspaceId: string };

/**
 * A link for the owner of an address: to the named workspace if they belong to it or are invited, otherwise to their
 * last used one. Null when the address is unknown and may not sign up, and when a link was mailed within the last
 * minute.
 */
async function linkForAddress(
  options: MailingLinks,
  email: string,
  named: string | undefined,
): Promise<MailedLink | null> {
  const { db, publicUrl, now, newId } = options;
  const at = now();
  return writePresented(db, [hashAddress(email)], async (tx) => {
    const known = await findLinkTarget(tx, email, named);
    const signsUp = known === undefined && options.maySignUp(email);
    const workspaceId = known?.workspaceId ?? (signsUp ? await readHomeWorkspaceId(tx) : undefined);
    if (!workspaceId) return null;
    const to = known?.personId ? { personId: known.personId } : { email: email.toLowerCase() };
    return withWorkspaceBound(tx, workspaceId, async () => {
      if (await wasMailedSince(tx, to, new Date(at.getTime() - mailEveryMs))) return null;
      const link = { ...to, id: newId(), workspaceId, isHumanSurface: true, mailed: true, signsUp, publicUrl, at };
      return { ...(await makeSignInLink(tx, link)), id: link.id, workspaceId };
    });
  });
}

/** The workspace of the link, and its person there; null if they are only invited. */
async function findLinkTarget(db: Db, email: string, named: string | undefined) {
  const hash = hashAddress(email);
  const inviting = await listInvitingWorkspaceIds(db, hash);
  const identityId = await findPresentedIdentity(db, hash);
  if (identityId)
    await sql`select set_config('thalamus.presented_hash', ${hashIdentity(identityId)}, true)`.execute(db);
  const people = identityId ? await listPeopleByIdentity(db, identityId) : await listPeopleByAddress(db, hash);
  // A member of a workspace signs in there: an invitation elsewhere needs its own link, or a button in the console.
  const all = people.length ? people.map(({ workspace_id }) => workspace_id) : inviting;
  const last = identityId && (await findLastWorkspaceId(db, identityId));
  const workspaceId = [named, last, ...all].find((id) => id && all.includes(id));
  if (!workspaceId) return undefined;
  // A link for a person proves their address in that workspace.
  const person = people.find(
    (each) => each.workspace_id === workspaceId && each.email.toLowerCase() === email.toLowerCase(),
  );
  return { workspaceId, personId: person?.id };
}

/** A request for a link, as a job. */
type LinkRequest = { email: string; workspaceId?: string | undefined; at: string };

export const mailLinkJob = 'accounts.mail-link';
/** A later link is useless to somebody who waits for it. */
const wantedForMs = 15 * 60 * 1000;

/** Requests the mail with a link: the job exists when the transaction commits. It is the same for every address. */
export async function enqueueLink(
  db: Db,
  jobs: Jobs,
  { email, workspaceId, at }: { email: string; workspaceId: string | undefined; at: Date },
): Promise<void> {
  const request: LinkRequest = { email, workspaceId, at: at.toISOString() };
  await jobs.enqueue(db, mailLinkJob, request);
}

/**
 * Mails a requested link. A mail that was not sent is tried again with another link, as long as somebody may wait for
 * it.
 */
export function createMailLink(options: MailingLinks & { mail: Mail }) {
  return async function mailLink({ email, workspaceId, at }: LinkRequest): Promise<void> {
    if (options.now().getTime() - new Date(at).getTime() > wantedForMs) return;
    const link = await linkForAddress(options, email, workspaceId);
    if (!link) return;
    try {
      await send(options.mail, email, link);
    } catch (error) {
      await dropLink(options.db, link);
      if (!(error instanceof MailError && error.isForGood)) throw error;
    }
  };
}

async function send(mail: Mail, email: string, { url }: SignInLink): Promise<void> {
  const text = `Open this link to sign in. It works once, within 15 minutes.\n\n${url}\n\nIf you did not ask for it, do nothing.\n`;
  await mail.send({ to: email, subject: 'Your sign-in link', text });
}

function dropLink(db: Kysely<unknown>, { id, workspaceId }: MailedLink): Promise<void> {
  return writePresented(db, [], (tx) =>
    withWorkspaceBound(tx, workspaceId, async () => {
      await endSecret(tx, id);
      await dropSignInLink(tx, id);
    }),
  );
}
