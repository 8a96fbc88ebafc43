import { AppError } from '#kernel/errors';
import type { Authenticate, NewSession, SignIn } from '#modules/accounts';
import { Hono, type Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import { refuseForeignOrigin, sessionCookie } from '#faces/rest';
import { readJson } from './body-limit.ts';

const byMail = z.strictObject({ email: z.email().max(320) });
const body = z.strictObject({ token: z.string().regex(/^tl_[A-Za-z0-9_-]{20,100}$/) });

/** Gives the browser the cookie of a session. */
export function keepSession(c: Context, { token, expiresAt }: NewSession, isSecure: boolean): void {
  const kept = { httpOnly: true, sameSite: 'Lax', path: '/', secure: isSecure, expires: expiresAt } as const;
  setCookie(c, sessionCookie, token, kept);
}

/** Signing in by a one-time link, and out. A link is used by a POST, so that a mail scanner cannot use it up. */
export function signInRoutes(options: {
  signIn: SignIn;
  authenticate: Authenticate;
  /** Providers by which people sign in to a workspace, or to the only one. */
  providersOf(workspaceId: string | undefined): Promise<{ name: string; label: string }[]>;
  isSecure: boolean;
}): Hono {
  const app = new Hono();

  app.post('/auth/sign-in', async (c) => {
    refuseForeignOrigin(c);
    const parsed = body.safeParse(await readJson(c));
    if (!parsed.success) throw new AppError('invalid_input', 'This is no sign-in link of this server. Copy it whole.');
    const session = await options.signIn.withLink(parsed.data.token, c.req.header('user-agent') ?? null);
    keepSession(c, session, options.isSecure);
    return c.json({ ok: true });
  });

  app.get('/auth/methods', async (c) => {
    const providers = await options.providersOf(c.req.query('workspace'));
    return c.json({ link: true, mail: options.signIn.canMail, providers });
  });

  app.post('/auth/mail', async (c) => {
    refuseForeignOrigin(c);
    const parsed = byMail.safeParse(await readJson(c));
    if (!parsed.success) throw new AppError('invalid_input', 'email: not a mail address.');
    await options.signIn.byMail(parsed.data.email);
    return c.json({ message: 'If this address belongs to somebody here, a link is on its way.' });
  });

  app.post('/auth/sign-out', async (c) => {
    const session = getCookie(c, sessionCookie);
    refuseForeignOrigin(c);
    const caller = session ? await options.authenticate(session).catch(nobody) : null;
    if (caller) await options.signIn.out(caller);
    deleteCookie(c, sessionCookie, { path: '/' });
    return c.json({ ok: true });
  });
  return app;
}

/** A session that has ended already is signed out as well; of one that cannot be looked up that is not known. */
function nobody(error: unknown): null {
  if (error instanceof AppError && error.code === 'unauthenticated') return null;
  throw error;
}
