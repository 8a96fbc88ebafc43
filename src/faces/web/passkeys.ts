import { AppError } from '#kernel/errors';
import {
  findCaller,
  dropOwnCookie,
  getOwnCookie,
  refuseForeignOrigin,
  setOwnCookie,
  type RestEnvironment,
} from '#faces/rest';
import { passkeyResponse } from '#modules/accounts';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { readJsonBody, enter, describeVisit } from './sign-in.ts';
import type { WebDeps } from './web-deps.ts';

const signInBody = z.strictObject({ response: passkeyResponse, workspace: z.uuid().optional() });
const proofBody = z.union([
  z.strictObject({ password: z.string().min(1).max(200), code: z.string().min(6).max(40).optional() }),
  z.strictObject({ code: z.string().min(6).max(40) }),
  z.strictObject({ response: passkeyResponse }),
]);

/** The cookie with which only this browser can answer its challenge. */
const cookie = 'thalamus_passkey';
const cookiePath = '/auth';
const cookieSeconds = 300;

/** Signing in by passkeys, and confirming who is at the console. */
export function createPasskeyRoutes({ signInWith }: WebDeps): Hono<RestEnvironment> {
  const { signIn, authenticate } = signInWith;
  const app = new Hono<RestEnvironment>();

  app.post('/auth/passkey/options', async (c) => {
    refuseForeignOrigin(c);
    const { options: asked, browser } = await signIn.beginPasskey();
    const lives = { seconds: cookieSeconds };
    setOwnCookie(c, cookie, { value: browser, sameSite: 'Strict', path: cookiePath, lives });
    return c.json({ options: asked });
  });

  app.post('/auth/passkey', async (c) => {
    const { response, workspace } = await readJsonBody(
      c,
      signInBody,
      'This is not the answer of a passkey. Try again.',
    );
    const session = await signIn.byPasskey({ response, browser: takeBrowser(c) }, describeVisit(c, workspace));
    return enter(c, session, signInWith);
  });

  app.post('/auth/prove', async (c) => {
    const proof = await readJsonBody(c, proofBody, 'Enter your password, a code from your app, or a passkey.');
    const caller = await findCaller(c, authenticate);
    if (!caller) throw new AppError('unauthenticated', 'Sign in first.');
    await signIn.prove(caller, 'response' in proof ? { ...proof, browser: takeBrowser(c) } : proof);
    return c.json({ ok: true });
  });
  return app;
}

function takeBrowser(c: Context): string {
  const browser = getOwnCookie(c, cookie) ?? '';
  dropOwnCookie(c, cookie, cookiePath);
  return browser;
}
