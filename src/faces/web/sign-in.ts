import { AppError } from '#kernel/errors';
import type {
  Admission,
  Authenticate,
  FindViewer,
  NewSession,
  ProofHandOver,
  SignIn,
  SignInVisit,
  LinkPreview,
  Viewer,
} from '#modules/accounts';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import {
  findCaller,
  getClientAddress,
  dropOwnCookie,
  getOwnCookie,
  refuseForeignOrigin,
  sessionCookie,
  setOwnCookie,
  findRequestViewer,
  type RestEnvironment,
} from '#faces/rest';
import { readJson } from './body-limit.ts';
import type { WebDeps } from './web-deps.ts';

const workspace = z.uuid().optional();
const byMail = z.strictObject({ email: z.email().max(320), workspace });
const token = z.string().regex(/^tl_[A-Za-z0-9_-]{20,100}$/);
const byToken = z.strictObject({ token });
/** `as_signed_in`: the signed-in person joins, instead of a new account. */
const byLink = byToken.extend({ as_signed_in: z.boolean().default(false) });
const byPassword = z.strictObject({
  email: z.string().min(3).max(320),
  password: z.string().min(1).max(200),
  workspace,
});
const byCode = z.strictObject({ code: z.string().min(6).max(40) });
const byHandOver = z.strictObject({ code: z.string().regex(/^tc_[A-Za-z0-9_-]{20,100}$/) });

/** Keeps the secret of a person who must still enter a one-time code. */
const secondFactorCookie = 'thalamus_second_factor';
const authPath = '/auth';
const secondFactorSeconds = 600;

/** The functions that the sign-in routes share. */
export type SigningIn = {
  signIn: SignIn;
  authenticate: Authenticate;
  findViewer: FindViewer;
  handOver: ProofHandOver;
};

/** Opens the session in this browser, in place of its former session. Its proof must still be handed over. */
export async function keepSession(
  c: Context,
  { token, expiresAt }: NewSession,
  options: Pick<SigningIn, 'signIn' | 'findViewer'>,
): Promise<void> {
  await leave(c, options);
  setOwnCookie(c, sessionCookie, { value: token, sameSite: 'Lax', path: '/', lives: { until: expiresAt } });
  if (getOwnCookie(c, secondFactorCookie)) dropOwnCookie(c, secondFactorCookie, authPath);
}

/** Opens the session in this browser, and returns its proof once to the script that signed in. */
export async function enter(c: Context, session: NewSession, options: SigningIn): Promise<Response> {
  await keepSession(c, session, options);
  return c.json({ ok: true, session_proof: session.proof });
}

/** Like `enter`, or asks the page for a one-time code first. */
function admit(c: Context, admission: Admission, options: SigningIn): Promise<Response> | Response {
  if ('session' in admission) return enter(c, admission.session, options);
  const kept = { sameSite: 'Strict', path: authPath, lives: { seconds: secondFactorSeconds } } as const;
  setOwnCookie(c, secondFactorCookie, { value: admission.secondFactor, ...kept });
  return c.json({ ok: false, second_factor: true });
}

export function describeVisit(c: Context, workspaceId?: string): SignInVisit {
  return { workspaceId, userAgent: c.req.header('user-agent') ?? null, client: getClientAddress(c) };
}

/** The body of a request from the console itself. Throws `invalid_input` with the message for anything else. */
export async function readJsonBody<Body>(c: Context, schema: z.ZodType<Body>, message: string): Promise<Body> {
  refuseForeignOrigin(c);
  const parsed = schema.safeParse(await readJson(c));
  if (!parsed.success) throw new AppError('invalid_input', message);
  return parsed.data;
}

/**
 * Signing in by links, passwords and codes, and signing out. A link is used by a POST, so that a mail scanner cannot
 * use it up.
 */
export function createSignInRoutes({ signInWith }: WebDeps): Hono<RestEnvironment> {
  const { signIn } = signInWith;
  const app = new Hono<RestEnvironment>();

  app.post('/auth/sign-in', async (c) => {
    const given = await readJsonBody(c, byLink, 'This link isn’t valid here. Check that you copied all of it.');
    const joiner = given.as_signed_in ? await findCaller(c, signInWith.authenticate) : null;
    if (given.as_signed_in && !joiner)
      throw new AppError('unauthenticated', 'Sign in first, then open the link again.');
    return admit(c, await signIn.withLink(given.token, describeVisit(c), joiner), signInWith);
  });

  app.post('/auth/sign-in/preview', async (c) => {
    const given = await readJsonBody(c, byToken, 'This link isn’t valid here. Check that you copied all of it.');
    return c.json(
      presentLinkPreview(
        await signIn.readLink(given.token, describeVisit(c)),
        await findRequestViewer(c, signInWith.findViewer),
      ),
    );
  });

  app.get('/auth/methods', async (c) => {
    const providers = await signInWith.listOffers(c.req.query('workspace'));
    const { canMail: mail, signUp } = signIn;
    const sign_up = signUp !== 'closed';
    const sign_up_domains = typeof signUp === 'string' ? null : signUp;
    return c.json({ link: true, mail, password: true, passkey: true, sign_up, sign_up_domains, providers });
  });

  app.post('/auth/mail', async (c) => {
    const { email, workspace } = await readJsonBody(c, byMail, 'email: not a mail address.');
    await signIn.byMail(email, workspace);
    return c.json({ message: 'If this address belongs to somebody here, a link is on its way.' });
  });

  app.post('/auth/password', async (c) => {
    const { workspace, ...given } = await readJsonBody(c, byPassword, 'Enter a mail address and a password.');
    return admit(c, await signIn.byPassword(given, describeVisit(c, workspace)), signInWith);
  });

  app.post('/auth/second-factor', async (c) => {
    const { code } = await readJsonBody(c, byCode, 'Enter the 6 digits of your app, or a recovery code.');
    const secret = getOwnCookie(c, secondFactorCookie);
    if (!secret) throw new AppError('unauthenticated', 'You took too long to sign in. Start again.');
    return enter(c, await signIn.bySecondFactor({ secret, code }, describeVisit(c)), signInWith);
  });

  app.post('/auth/session-proof', async (c) => {
    const { code } = await readJsonBody(c, byHandOver, 'This is not a code of a sign-in. Sign in again.');
    return c.json({
      session_proof: await signInWith.handOver.take({ code, cookie: getOwnCookie(c, sessionCookie) ?? '' }),
    });
  });

  app.post('/auth/sign-out', async (c) => {
    refuseForeignOrigin(c);
    await leave(c, signInWith);
    dropOwnCookie(c, sessionCookie, '/');
    return c.json({ ok: true });
  });
  return app;
}

/**
 * A link as its page shows it, and the session in this browser that it would end: another person's, or one in another
 * workspace.
 */
function presentLinkPreview({ person, email, workspace, workspaceId, isPassedOn }: LinkPreview, viewer: Viewer | null) {
  const open = viewer?.session;
  const isSame = open?.workspaceId === workspaceId && open.personId === person?.id;
  return {
    name: person?.name ?? null,
    email,
    workspace,
    ends_session_of: open && !isSame ? open.label : null,
    joins: isPassedOn,
    may_join_as: isPassedOn && open && open.workspaceId !== workspaceId ? open.label : null,
  };
}

/**
 * Ends the browser's present session: a browser has one at a time, and another person's session is useless to them. Its
 * cookie is enough for this, and for nothing else.
 */
async function leave(c: Context, { signIn, findViewer }: Pick<SigningIn, 'signIn' | 'findViewer'>): Promise<void> {
  const viewer = await findRequestViewer(c, findViewer);
  if (viewer) await signIn.out(viewer.session);
}
