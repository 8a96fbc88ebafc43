import { isInBrowser, type Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { acceptInvitations } from '#modules/brains';
import { withWorkspaceBound, withPresentedHashes, writePresented } from '#platform/database';
import { presentSecret, useSecret } from '#platform/one-time-secrets';
import { createTurnsByKey } from '#platform/turns';
import { admit, type Admission } from './admission.ts';
import { enter, findOrCreateProvedIdentity, proveAddress, type EnterDeps } from './enter.ts';
import { checkFreshSession } from '../sessions/human.ts';
import { hashIdentity } from '../identity-hashes.ts';
import { joinWithIdentity, joinByHandedLink, type SignedInIdentity } from '../people/join.ts';
import { enqueueLink } from './mail-link.ts';
import type { EnteredWorkspace, NewSession } from '../sessions/open-session.ts';
import type { RequestResponse } from './passkeys.ts';
import { prove, type Proof } from './prove.ts';
import { signInWithSecondFactor } from './second-factor.ts';
import { signInWithAccount, linkAccount, type Account } from './sign-in-by-account.ts';
import { beginPasskey, signInWithPasskey, type PasskeyRequest } from './sign-in-by-passkey.ts';
import { signInWithPassword } from './sign-in-by-password.ts';
import { linkPurpose } from '../sessions/sign-in-links.ts';
import { readLinkPreview, createLinkUsedUpError, type LinkPreview } from './link-preview.ts';
import type { SignUp } from './sign-up.ts';
import { buildEnterDeps, type SignInOptions, type SignInVisit } from './sign-in-ways.ts';
import { findPerson, readIdentityId } from '../store/people.ts';
import {
  isSessionOpen,
  findSessionKeyId,
  findSessionProofTime,
  revokeSession,
  type SignInMethod,
} from '../store/sessions.ts';
import { findSignInLink, type LinkRow } from '../store/sign-in-links.ts';

/** Anybody may try, and signed-in people need the database, too. One client never waits behind another client. */
const linkTurns = { atOnce: 3, waitingEach: 20 };

/** The functions with which the web face signs people in and out. */
export type SignIn = {
  /** Whether people can have a link mailed to them. */
  canMail: boolean;
  /** Who may create an account without an invitation. */
  signUp: SignUp;
  /**
   * Requests a mail with a link for the person with this address, as a job that survives the process. Returns before
   * the job runs, so that the answer does not reveal whether the person exists. Throws `unavailable` while the database
   * is unreachable.
   */
  byMail(email: string, workspaceId?: string): Promise<void>;
  /** Shows who a link signs in, and where, without using it up. Throws for an invalid link. */
  readLink(token: string, visit: SignInVisit): Promise<LinkPreview>;
  /**
   * Uses up a link and opens a session, or asks for a code first. `joiner`: a signed-in person who joins through a
   * passed-on invitation; without it a new identity joins.
   */
  withLink(token: string, visit: SignInVisit, joiner?: Caller | null): Promise<Admission>;
  byPassword(given: { email: string; password: string }, visit: SignInVisit): Promise<Admission>;
  bySecondFactor(given: { secret: string; code: string }, visit: SignInVisit): Promise<NewSession>;
  beginPasskey(): Promise<PasskeyRequest>;
  byPasskey(given: { response: RequestResponse; browser: string }, visit: SignInVisit): Promise<NewSession>;
  /**
   * Opens a session for the owner of this account. Null when nobody owns it, and no address that its provider verified
   * is invited.
   */
  byAccount(account: Account, visit: SignInVisit): Promise<NewSession | null>;
  /** Throws unless a person at the console is calling who may link an account now. */
  checkMayLink(caller: Caller): Promise<void>;
  linkAccount(caller: Caller, account: Account): Promise<void>;
  /** Proves again who is at the console. */
  prove(caller: Caller, proof: Proof): Promise<void>;
  out(caller: Caller): Promise<void>;
};

export function createSignIn(options: SignInOptions): SignIn {
  const { db, transactions, mail, now, newId } = options;
  const inTurn = createTurnsByKey(linkTurns);
  return {
    canMail: mail !== null,
    signUp: options.signUp,
    async byMail(email, workspaceId) {
      if (!mail)
        throw new AppError(
          'unavailable',
          'This server sends no mail. Use `npx thalamus sign-in`, or set THALAMUS_MAIL_URL.',
        );
      await writePresented(db, [], (tx) => enqueueLink(tx, options.jobs, { email, workspaceId, at: now() }));
    },
    readLink: (token, { client }) => inTurn(client, () => readLinkPreview(options, token)),
    async withLink(token, { client, userAgent }, joiner = null) {
      const presented = await inTurn(client, () => presentSecret(db, linkPurpose, token));
      if (!presented) throw createLinkUsedUpError();
      return transactions.run(presented.workspaceId, 'write', async (bound) => {
        const at = now();
        const id = await useSecret(bound, linkPurpose, { secret: token, at });
        const link = id && (await findSignInLink(bound, id));
        const known = joiner && (await readSignedInIdentity(bound, joiner));
        const entered = link ? await enterByLink(bound, link, buildEnterDeps(options), known) : null;
        if (!link || !entered) throw createLinkUsedUpError();
        const { is_human_surface: isHumanSurface, made_by_key: madeByKey, proved_at: provedAt } = link;
        const by = { madeByKey, byOperator: link.by_operator, ...known?.session };
        const how = { method: getLinkMethod(link), isHumanSurface, provedAt, ...by, userAgent };
        return admit(bound, { ...entered, ...how, newId, at });
      });
    },
    byPassword: (given, visit) => signInWithPassword(options, given, visit),
    bySecondFactor: (given, visit) => signInWithSecondFactor(options, given, visit),
    beginPasskey: () => beginPasskey(options),
    byPasskey: (given, visit) => signInWithPasskey(options, given, visit),
    byAccount: (account, visit) => signInWithAccount(options, account, visit),
    checkMayLink: (caller) =>
      transactions.run(caller.workspaceId, 'read', (bound) => checkFreshSession(bound, caller, now())),
    linkAccount: (caller, account) => linkAccount(options, caller, account),
    prove: (caller, proof) => prove(options, caller, proof),
    async out(caller) {
      if (!isInBrowser(caller)) return;
      await transactions.run(caller.workspaceId, 'write', (bound) => revokeSession(bound, caller.id, now()));
    },
  };
}

function getLinkMethod({ proved_at, mailed, email }: LinkRow): SignInMethod {
  if (proved_at) return 'switch';
  if (mailed) return 'mail';
  return email === null ? 'link' : 'invitation';
}

/**
 * The person that a link signs in, and the workspace. A person who joins is created now. Further invitations since then
 * become theirs.
 */
async function enterByLink(
  db: Db,
  link: LinkRow,
  entering: EnterDeps,
  known: SignedInIdentity | null,
): Promise<EnteredWorkspace | null> {
  const { workspace_id: workspaceId, person_id: personId, mailed, signs_up } = link;
  if (known && (personId !== null || mailed)) throw isForOthers();
  if (personId !== null) return enterAsPerson(db, link, personId, entering);
  const email = link.email ?? ''; // a link is for a person or for an address
  if (!mailed) {
    const joining = { workspaceId, email, ...entering };
    const joined = known
      ? await withPresentedHashes(db, [hashIdentity(known.identityId)], () => joinWithIdentity(db, joining, known))
      : await joinByHandedLink(db, joining);
    return { ...joined, workspaceId };
  }
  const identityId = await findOrCreateProvedIdentity(db, email, entering);
  return identityId === null
    ? null
    : enter(db, identityId, signs_up ? undefined : workspaceId, entering, link.is_invitation);
}

function isForOthers(): AppError {
  return new AppError('invalid_input', 'This link signs in a certain person. Nobody else can join with it.');
}

/** The identity of a signed-in person, in any workspace. Their next session counts as the same proof as this one. */
function readSignedInIdentity(db: Db, caller: Caller) {
  const { id, personId, workspaceId, isHumanSurface } = caller;
  if (!isInBrowser(caller)) throw new AppError('forbidden', 'Only a person can join through a link, in their browser.');
  return withWorkspaceBound(db, workspaceId, async () => {
    const person = await findPerson(db, personId);
    if (!person) throw createLinkUsedUpError();
    const provedAt = (await findSessionProofTime(db, id)) ?? new Date(0); // joining is not a fresh proof
    const session = { isHumanSurface, provedAt, madeByKey: await findSessionKeyId(db, id) };
    return { identityId: await readIdentityId(db, personId), email: person.email, session };
  });
}

async function enterAsPerson(
  db: Db,
  link: LinkRow,
  personId: string,
  entering: EnterDeps,
): Promise<EnteredWorkspace | null> {
  const person = await findPerson(db, personId);
  if (!person) return null;
  const { workspace_id: workspaceId } = link;
  const identityId = await readIdentityId(db, personId);
  if (link.made_by_session !== null && !(await isOpen(db, link.made_by_session, identityId, entering.at))) return null;
  if (link.mailed) {
    await proveAddress(db, { email: person.email, identityId }, entering);
    return enter(db, identityId, workspaceId, entering);
  }
  await acceptInvitations(db, { id: personId, email: person.email, at: entering.at });
  return { identityId, personId, workspaceId };
}

/** Whether a session of an identity is open, in any workspace. */
function isOpen(db: Db, sessionId: string, identityId: string, at: Date): Promise<boolean> {
  return withPresentedHashes(db, [hashIdentity(identityId)], () => isSessionOpen(db, sessionId, at));
}
