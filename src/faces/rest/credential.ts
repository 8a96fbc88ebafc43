import type { Caller } from '#kernel/caller';
import type { Face } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { Authenticate, FindViewer, Viewer } from '#modules/accounts';
import type { Context } from 'hono';
import { getClientAddress } from './client-address.ts';
import { getOwnCookie } from './own-cookies.ts';

export const sessionCookie = 'thalamus_session';
/** The header with the second secret of a session, which only pages of this origin can read and send. */
const proofHeader = 'thalamus-session-proof';
/** The field of a form of our own pages with that secret. */
export const proofField = 'session_proof';

/**
 * The caller of a request: a bearer token, or the console's cookie together with the proof of its session. Browsers
 * send a cookie to every port of a host, so the cookie alone does not authenticate.
 */
export async function findCaller(c: Context, authenticate: Authenticate): Promise<Caller | null> {
  const bearer = /^Bearer\s+(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  const proof = c.req.header(proofHeader);
  if (bearer) return authenticate({ secret: bearer, proof, from: getClientAddress(c) });
  const cookie = getOwnCookie(c, sessionCookie);
  if (!cookie) return null;
  refuseForeignOrigin(c);
  const caller = await authenticate({ secret: cookie, proof });
  checkShownWorkspace(c, caller);
  return caller;
}

/** The caller of a form of our own pages, which sends its proof as a field. Null: there is no session, or no proof. */
export async function findFormCaller(
  c: Context,
  authenticate: Authenticate,
  form: Record<string, unknown>,
): Promise<Caller | null> {
  const [secret, proof] = [getOwnCookie(c, sessionCookie), form[proofField]];
  refuseForeignOrigin(c);
  if (!secret || typeof proof !== 'string') return null;
  return authenticate({ secret, proof }).catch(ignoreInvalidCredential);
}

/** The person who is looking at a page; null: nobody is signed in. */
export async function findRequestViewer(c: Context, findViewer: FindViewer): Promise<Viewer | null> {
  const cookie = getOwnCookie(c, sessionCookie);
  return cookie ? findViewer(cookie).catch(ignoreInvalidCredential) : null;
}

/** Null for a credential that is not valid. Other errors, such as an unreachable database, are thrown again. */
function ignoreInvalidCredential(error: unknown): null {
  if (error instanceof AppError && error.code === 'unauthenticated') return null;
  throw error;
}

/** One cookie serves all tabs: a tab that still shows another workspace must not act in the newly chosen one. */
function checkShownWorkspace(c: Context, { workspaceId }: Caller): void {
  const shown = c.req.header('thalamus-workspace');
  if (shown === undefined || shown === workspaceId) return;
  throw new AppError(
    'conflict',
    'You switched to another workspace in another tab. Reload this page to continue there.',
    {
      reason: 'other_workspace',
    },
  );
}

/** The face of a request: only the console sends a cookie, and the command line sends its name. */
export function findFace(c: Context): Face {
  if (!c.req.header('authorization')) return 'console';
  return c.req.header('user-agent')?.startsWith('thalamus-cli') ? 'cli' : 'rest';
}

/** A browser sends a cookie for pages of every author, so a page of another origin must not use it. */
export function refuseForeignOrigin(c: Context): void {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return;
  const site = c.req.header('sec-fetch-site');
  const origin = c.req.header('origin');
  const isOwn = site ? site === 'same-origin' : findOriginHost(origin) === c.req.header('host');
  if (!isOwn) throw new AppError('forbidden', 'This session works only in the console. Use a cm_ key elsewhere.');
}

/**
 * The host of an `Origin`; null for `null`, which a sandboxed page sends, and for any other text that is not an
 * address.
 */
function findOriginHost(origin: string | undefined): string | null {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : null;
}
