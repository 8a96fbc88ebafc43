import type { Caller } from '#kernel/caller';
import type { Face } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { Authenticate } from '#modules/accounts';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { clientAddress } from './client-address.ts';

export const sessionCookie = 'thalamus_session';

/** The credential of a request: a bearer token, or the console's cookie on a request of the console itself. */
export async function callerOf(c: Context, authenticate: Authenticate): Promise<Caller | null> {
  const bearer = /^Bearer\s+(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (bearer) return authenticate(bearer, clientAddress(c));
  const cookie = getCookie(c, sessionCookie);
  if (!cookie) return null;
  refuseForeignOrigin(c);
  const caller = await authenticate(cookie);
  checkShownWorkspace(c, caller);
  return caller;
}

/** One cookie serves all tabs: a tab that still shows another workspace must not act in the one that was switched to. */
function checkShownWorkspace(c: Context, { workspaceId }: Caller): void {
  const shown = c.req.header('thalamus-workspace');
  if (shown === undefined || shown === workspaceId) return;
  throw new AppError('conflict', 'You switched to another workspace in another tab. Reload this page to go on there.', {
    reason: 'other_workspace',
  });
}

/** The face of a request: only the console sends a cookie, and the command line sends its name. */
export function faceOf(c: Context): Face {
  if (!c.req.header('authorization')) return 'console';
  return c.req.header('user-agent')?.startsWith('thalamus-cli') ? 'cli' : 'rest';
}

/** A browser sends a cookie for pages of every author, so a page of another origin must not act with it. */
export function refuseForeignOrigin(c: Context): void {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return;
  const site = c.req.header('sec-fetch-site');
  const origin = c.req.header('origin');
  const isOwn = site ? site === 'same-origin' : hostOf(origin) === c.req.header('host');
  if (!isOwn) throw new AppError('forbidden', 'This session works only in the console. Use a cm_ key elsewhere.');
}

/** The host of an `Origin`; null for `null`, which a sandboxed page sends, and for anything else that is no address. */
function hostOf(origin: string | undefined): string | null {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : null;
}
