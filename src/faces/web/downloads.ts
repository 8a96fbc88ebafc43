// Files for a browser: a link cannot send the proof of a session, so the console requests an address that works once.
import { isInBrowser, type Caller } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import { findCaller, findRequestViewer, type RestEnvironment } from '#faces/rest';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { readJsonBody } from './sign-in.ts';
import type { WebDeps } from './web-deps.ts';

const ticketParam = 'ticket';
/** The addresses of files; each route decides who may have what. */
const filePaths = [
  /^\/v1\/attachments\/[\w-]{1,60}\/content$/,
  /^\/v1\/documents\/[\w-]{1,60}\/content$/,
  /^\/v1\/actions\/[\w-]{1,60}\/files\/\d\/content$/,
  /^\/v1\/recipes\/[\w-]{1,100}\/preview$/,
  /^\/v1\/training\/download\/\w{1,60}$/,
];
const body = z.strictObject({ path: z.string().max(2_000) });

/** `POST /v1/downloads`: creates an address at which this browser gets one file once, within a minute. */
export function createDownloadRoutes({ authenticate, downloads }: WebDeps): Hono<RestEnvironment> {
  const app = new Hono<RestEnvironment>();
  app.post('/v1/downloads', async (c) => {
    const { path } = await readJsonBody(c, body, 'path: pass the path of a file, such as /v1/documents/{id}/content.');
    const caller = await findCaller(c, authenticate);
    if (!caller) throw new AppError('unauthenticated', 'Sign in first.');
    if (!isInBrowser(caller))
      throw new AppError('forbidden', 'A key reads the file at its own address, with the key in the header.');
    const url = new URL(path, 'http://server');
    if (
      url.host !== 'server' ||
      !filePaths.some((each) => each.test(url.pathname)) ||
      url.searchParams.has(ticketParam)
    )
      throw new AppError('invalid_input', 'path: this is not the address of a file. Copy it from the console.');
    const target = `${url.pathname}${url.search}`;
    const { ticket, expiresAt } = await downloads.issue(caller, target);
    const joint = url.search ? '&' : '?';
    return c.json({ url: `${target}${joint}${ticketParam}=${ticket}`, expires_at: expiresAt.toISOString() });
  });
  return app;
}

/** The caller of a download, from any credential, or from a ticket in the browser for which it was issued. */
export async function findDownloadCaller(
  c: Context,
  deps: Pick<WebDeps, 'authenticate' | 'findViewer' | 'downloads'>,
): Promise<Caller | null> {
  const ticket = c.req.query(ticketParam);
  if (ticket === undefined || c.req.header('authorization')) return findCaller(c, deps.authenticate);
  const viewer = await findRequestViewer(c, deps.findViewer);
  const url = new URL(c.req.url);
  const path = `${url.pathname}${url.search}`.replace(/[?&]ticket=[^&]*$/, '');
  return viewer && deps.downloads.redeem(viewer, { path, ticket });
}
