import type { Caller } from '#kernel/caller';
import type { Db, Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { acceptInvitations, isInvited } from '#modules/brains';
import { databaseTime, asSystem, readPresented } from '#platform/database';
import type { Mail } from '#platform/mail';
import { hashSecret, issueSecret, presentSecret, useSecret } from '#platform/one-time-secrets';
import { createTurns } from '#platform/turns';
import type { Kysely } from 'kysely';
import { newCredential } from './secrets.ts';
import { joinByInvitation } from './join.ts';
import { findPerson, findPersonByEmail, listWorkspaceIds } from './store/people.ts';
import {
  findSignInLink,
  wasMailedSince,
  insertSession,
  insertSignInLink,
  revokeSession,
  type Addressee,
  type LinkRow,
} from './store/sessions.ts';

const purpose = 'sign_in_link';
const linkLivesMs = 15 * 60 * 1000;
const mailEveryMs = 60 * 1000;
/** Everybody may try, and people who are signed in need the database as well. */
const attemptsAtOnce = 3;
const sessionLivesMs = 30 * 24 * 60 * 60 * 1000;

export type SignInLink = { url: string; expiresAt: Date };

type NewLink = Addressee & {
  id: string;
  workspaceId: string;
  isHumanSurface: boolean;
  /** The key that makes the link: what it opens ends with the key. */
  madeByKey?: string | null;
  mailed?: boolean;
  /** The page that it opens; the page for signing in, unless told. */
  opens?: `/${string}`;
  livesMs?: number;
  publicUrl: string;
  at: Date;
};

/** Makes a link that signs somebody in once, within 15 minutes unless another time is given. */
export async function makeSignInLink(db: Db, link: NewLink): Promise<SignInLink> {
  const { publicUrl, livesMs = linkLivesMs, opens = '/sign-in', ...grant } = link;
  const { id: subjectId, workspaceId, at } = link;
  const expiresAt = new Date(at.getTime() + livesMs);
  const token = await issueSecret(db, { purpose, prefix: 'tl', subjectId, workspaceId, at, expiresAt });
  await insertSignInLink(db, { mailed: false, madeByKey: null, ...grant });
  // The token stands in the fragment, so that it reaches no server log and no Referer header.
  return { url: `${publicUrl}${opens}#${token}`, expiresAt };
}

/** A session that was opened; its token is for a cookie. */
export type NewSession = { token: string; expiresAt: Date };

/** What the web face needs to sign people in and out. */
export type SignIn = {
  /** Whether people can have a link mailed to them. */
  canMail: boolean;
  /**
   * Has a link mailed to the person with this address. It answers before that, so that nothing tells whether there is one. Throws
   * `unavailable` while the database is away.
   */
  byMail(email: string): Promise<void>;
  /** Uses a link up and opens a session. Answers the session's token, for a cookie. */
  withLink(token: string, userAgent: string | null): Promise<NewSession>;
  /**
   * Opens a session for the person of a workspace who has this address, which a provider has checked. Null when nobody has:
   * nobody is made by it.
   */
  withAddress(workspaceId: string, email: string, userAgent: string | null): Promise<NewSession | null>;
  out(caller: Caller): Promise<void>;
};

export function createSignIn(options: {
  db: Kysely<unknown>;
  transactions: Transactions;
  mail: Mail | null;
  /** Where a mail that could not be sent is told. */
  reportFault: (error: unknown) => void;
  publicUrl: string;
  now: () => Date;
  newId: () => string;
}): SignIn {
  const { db, transactions, mail, now, newId } = options;
  const inTurn = createTurns(attemptsAtOnce);
  return {
    canMail: mail !== null,
    async byMail(email) {
      if (!mail)
        throw new AppError(
          'unavailable',
          'This server sends no mail. Use `npx thalamus sign-in`, or set THALAMUS_MAIL_URL.',
        );
      await readPresented(db, '', databaseTime);
      inTurn(() => linksFor(options, email))
        .then((links) => mailLinks(mail, email, links))
        .catch(options.reportFault);
    },
    async withLink(token, userAgent) {
      const presented = await inTurn(() => presentSecret(db, purpose, token));
      if (!presented) throw usedUp();
      const at = now();
      return transactions.run(presented.workspaceId, 'write', async (bound) => {
        const id = await useSecret(bound, purpose, { secret: token, at });
        const link = id && (await findSignInLink(bound, id));
        if (!link) throw usedUp();
        const personId = await personBehind(bound, link, at, newId);
        const { workspace_id: workspaceId, is_human_surface: isHumanSurface, made_by_key: madeByKey } = link;
        return openSession(bound, { id: newId(), workspaceId, personId, isHumanSurface, madeByKey, userAgent, at });
      });
    },
    withAddress: (workspaceId, email, userAgent) =>
      transactions.run(workspaceId, 'write', async (bound) => {
        const person = await findPersonByEmail(bound, email);
        if (!person) return null;
        const at = now();
        await acceptInvitations(bound, { id: person.id, email: person.email, at });
        const session = { id: newId(), workspaceId, personId: person.id, isHumanSurface: true, madeByKey: null };
        return openSession(bound, { ...session, userAgent, at });
      }),
    async out(caller) {
      if (caller.kind !== 'session') return;
      await transactions.run(caller.workspaceId, 'write', (bound) => revokeSession(bound, caller.id, now()));
    },
  };
}

type Opening = {
  id: string;
  workspaceId: string;
  personId: string;
  isHumanSurface: boolean;
  madeByKey: string | null;
  userAgent: string | null;
  at: Date;
};

async function openSession(db: Db, { userAgent, ...opening }: Opening): Promise<NewSession> {
  const token = newCredential('ts');
  const expiresAt = new Date(opening.at.getTime() + sessionLivesMs);
  const session = { ...opening, tokenHash: hashSecret(token), expiresAt };
  await insertSession(db, { ...session, userAgent: userAgent?.slice(0, 400) ?? null });
  return { token, expiresAt };
}

/** The person a link signs in; one who joins by it is made now. What they were invited to meanwhile becomes theirs. */
async function personBehind(db: Db, link: LinkRow, at: Date, newId: () => string): Promise<string> {
  const { workspace_id: workspaceId, person_id: personId, email, mailed } = link;
  if (personId === null) return joinByInvitation(db, { workspaceId, email: email ?? '', mailed, at, newId });
  const person = await findPerson(db, personId);
  if (person) await acceptInvitations(db, { id: personId, email: person.email, at });
  return personId;
}

async function mailLinks(mail: Mail, email: string, links: readonly SignInLink[]): Promise<void> {
  for (const link of links) {
    await mail.send({ to: email, subject: 'Your sign-in link', text: mailText(link) });
  }
}

/** A new link for each workspace that has or invited this address, unless one was mailed in the last minute. */
async function linksFor(
  { db, transactions, publicUrl, now, newId }: Parameters<typeof createSignIn>[0],
  email: string,
): Promise<SignInLink[]> {
  const at = now();
  const links: SignInLink[] = [];
  for (const workspaceId of await asSystem(db, listWorkspaceIds)) {
    const link = await transactions.run(workspaceId, 'write', async (bound) => {
      const to = await addresseeOf(bound, email);
      if (!to || (await wasMailedSince(bound, to, new Date(at.getTime() - mailEveryMs)))) return null;
      return makeSignInLink(bound, {
        ...to,
        id: newId(),
        workspaceId,
        isHumanSurface: true,
        mailed: true,
        publicUrl,
        at,
      });
    });
    if (link) links.push(link);
  }
  return links;
}

async function addresseeOf(db: Db, email: string): Promise<Addressee | null> {
  const person = await findPersonByEmail(db, email);
  if (person) return { personId: person.id };
  return (await isInvited(db, email)) ? { email: email.toLowerCase() } : null;
}

function mailText({ url }: SignInLink): string {
  return `Open this link to sign in. It works once, within 15 minutes.\n\n${url}\n\nIf you did not ask for it, do nothing.\n`;
}

function usedUp(): AppError {
  return new AppError(
    'unauthenticated',
    'This sign-in link was used or has expired. Make a new one with `npx thalamus sign-in`, or ask who runs this server.',
  );
}
