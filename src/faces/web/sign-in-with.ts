import type { Caller } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import { ownPath } from '#kernel/own-path';
import {
  findCaller,
  dropOwnCookie,
  getOwnCookie,
  setOwnCookie,
  findRequestViewer,
  type RestEnvironment,
} from '#faces/rest';
import type { SignInConsents } from '#modules/connections';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { readJsonBody, keepSession, describeVisit, type SigningIn } from './sign-in.ts';
import type { WebDeps } from './web-deps.ts';

/** Signing in with an account at a provider. */
export type SignInWith = SigningIn & {
  consents: SignInConsents;
  /** The named workspace, if it exists. */
  workspaceNamed(id: string | undefined): Promise<string | null>;
  /** The providers with which people sign in to a workspace, or to this server. */
  listOffers(id: string | undefined): Promise<{ name: string; label: string }[]>;
  /** Called for errors that the person does not see. */
  noteRefusal(error: unknown): void;
};

const cookie = 'thalamus_sign_in';
const cookiePath = '/api/oauth/callback';
const cookieSeconds = 600;

const body = z.strictObject({
  workspace: z.uuid().optional(),
  back: ownPath.default('/'),
  link: z.literal(true).optional(),
});

/** Starts a sign-in. The browser returns to the address of every consent; `finishSignIn` continues there. */
export function createSignInWithRoutes({ signInWith }: WebDeps): Hono<RestEnvironment> {
  const { consents } = signInWith;
  const app = new Hono<RestEnvironment>();
  app.post('/auth/providers/:provider', async (c) => {
    const given = await readJsonBody(c, body, 'This does not start a sign-in. Use the sign-in page.');
    const linksFor = given.link ? await requireLinkingSession(c, signInWith) : null;
    const clientOf = await signInWith.workspaceNamed(given.workspace);
    if (given.workspace && !clientOf)
      throw new AppError('not_found', 'This sign-in method is not available here. Ask the operator of this server.');
    const provider = c.req.param('provider').slice(0, 60);
    const asked = { provider, clientOf, workspaceId: given.workspace ?? null, returnTo: given.back, linksFor };
    const { url, browser } = await consents.begin(asked);
    setOwnCookie(c, cookie, { value: browser, sameSite: 'Lax', path: cookiePath, lives: { seconds: cookieSeconds } });
    return c.json({ authorization_url: url });
  });
  return app;
}

/** The session in which an account is linked. Throws unless a person at the console with a fresh proof is calling. */
async function requireLinkingSession(c: Context, { authenticate, signIn }: SignInWith): Promise<string> {
  const caller = await findCaller(c, authenticate);
  if (!caller) throw new AppError('unauthenticated', 'Sign in first.');
  await signIn.checkMayLink(caller);
  return caller.id;
}

/**
 * Signs in the person who returned, or links the account to the signed-in person. The answer is the same for an unknown
 * account, an unverified address and an expired consent, so it does not reveal who has an account here.
 */
export async function finishSignIn(c: Context, options: SignInWith): Promise<Response> {
  const { code, state = '', iss } = c.req.query();
  const browser = getOwnCookie(c, cookie);
  dropOwnCookie(c, cookie, cookiePath);
  try {
    if (!code || !browser) throw new AppError('conflict', 'The browser returned without a consent.');
    const { workspaceId, account, returnTo, linksFor } = await options.consents.finish({ state, code, browser, iss });
    if (linksFor !== null) {
      await options.signIn.linkAccount(await requireSameCaller(c, options, linksFor), account);
      return c.redirect(returnTo);
    }
    const session = await options.signIn.byAccount(account, describeVisit(c, workspaceId ?? undefined));
    if (!session) throw new AppError('not_found', 'Nobody here has that account.');
    await keepSession(c, session, options);
    const proofCode = await options.handOver.offer(session);
    // The fragment reaches no other server; the page there exchanges the code for the proof, and continues to `back`.
    return c.redirect(`/sign-in?back=${encodeURIComponent(returnTo)}#${proofCode}`);
  } catch (error) {
    options.noteRefusal(error);
    return c.redirect('/sign-in?refused=true');
  }
}

/** The signed-in person, if the session is still the one that started linking the account. */
async function requireSameCaller(c: Context, { findViewer }: SignInWith, sessionId: string): Promise<Caller> {
  const viewer = await findRequestViewer(c, findViewer);
  if (viewer?.session.id !== sessionId) throw new AppError('conflict', 'Another session started linking this account.');
  return viewer.session;
}
