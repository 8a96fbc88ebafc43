import { AppError } from '#kernel/errors';
import { ownPath } from '#kernel/own-path';
import { refuseForeignOrigin } from '#faces/rest';
import type { NewSession, SignIn } from '#modules/accounts';
import type { SignInConsents } from '#modules/connections';
import { Hono, type Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import { readJson } from './body-limit.ts';
import { keepSession } from './sign-in.ts';

/** Signing in with an account that somebody has at a provider. */
export type SignInWith = {
  consents: SignInConsents;
  signIn: Pick<SignIn, 'withAddress'>;
  /** The workspace that is meant: the one that is named, if there is such a one, or the only one of this server. */
  workspaceOf(id: string | undefined): Promise<string | null>;
  /** Told of what the person is told nothing about. */
  noteRefusal(error: unknown): void;
  isSecure: boolean;
};

const cookie = 'thalamus_sign_in';
const cookiePath = '/api/oauth/callback';
const cookieSeconds = 600;

const body = z.strictObject({
  workspace: z.uuid().optional(),
  back: ownPath.default('/'),
});

/** Begins. The browser comes back to the address that every consent comes back to; `finishSignIn` takes it on from there. */
export function signInWithRoutes(options: SignInWith): Hono {
  const { consents, workspaceOf, isSecure } = options;
  const app = new Hono();
  app.post('/auth/providers/:provider', async (c) => {
    refuseForeignOrigin(c);
    const parsed = body.safeParse(await readJson(c));
    if (!parsed.success)
      throw new AppError('invalid_input', 'This is no way to begin signing in. Use the sign-in page.');
    const { workspace, back } = parsed.data;
    const workspaceId = await workspaceOf(workspace);
    if (!workspaceId) throw new AppError('not_found', 'Nobody signs in that way here. Ask who runs this server.');
    const asked = { workspaceId, provider: c.req.param('provider').slice(0, 60), returnTo: back };
    const { url, browser } = await consents.begin(asked);
    const kept = {
      httpOnly: true,
      sameSite: 'Lax',
      secure: isSecure,
      path: cookiePath,
      maxAge: cookieSeconds,
    } as const;
    setCookie(c, cookie, browser, kept);
    return c.json({ authorization_url: url });
  });
  return app;
}

/**
 * Signs whoever came back in. Whether there is nobody with the address, the provider has not checked it, or the consent is
 * over, the answer is the same: nobody learns who has an account here.
 */
export async function finishSignIn(c: Context, options: SignInWith): Promise<Response> {
  const { code, state = '' } = c.req.query();
  const browser = getCookie(c, cookie);
  deleteCookie(c, cookie, { path: cookiePath });
  try {
    if (!code || !browser) throw new AppError('conflict', 'The browser came back without a consent.');
    const { workspaceId, email, returnTo } = await options.consents.finish({ state, code, browser });
    const session = email ? await enter(c, options, workspaceId, email) : null;
    if (!session) throw new AppError('not_found', 'Nobody here has a checked address of that account.');
    keepSession(c, session, options.isSecure);
    return c.redirect(returnTo);
  } catch (error) {
    options.noteRefusal(error);
    return c.redirect('/sign-in?refused=true');
  }
}

function enter(c: Context, { signIn }: SignInWith, workspaceId: string, email: string): Promise<NewSession | null> {
  return signIn.withAddress(workspaceId, email, c.req.header('user-agent') ?? null);
}
