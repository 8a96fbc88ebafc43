import { AppError, toPublicError } from '#kernel/errors';
import { findFace, findRequestViewer, type RestEnvironment } from '#faces/rest';
import { Hono, type Context } from 'hono';
import { finishSignIn } from './sign-in-with.ts';
import type { WebDeps } from './web-deps.ts';

/**
 * The two addresses that a browser uses for a consent: one starts it (`start_oauth`), the other finishes it
 * (`finish_oauth`) and shows the result in the console.
 */
export function createOauthRoutes(web: WebDeps): Hono<RestEnvironment> {
  const { signInWith } = web;
  const app = new Hono<RestEnvironment>();
  app.get('/api/workspaces/:wId/oauth/:providerConfigId/start', (c) =>
    redirectToResult(c, async () => {
      const { wId: workspace_id, providerConfigId: provider } = c.req.param();
      const { source = provider, ...asked } = c.req.query();
      if (asked['owner'] === 'workspace') throw createSharedByLinkError();
      const chosen = Object.entries(asked).filter(([name]) => ['return_to', 'access'].includes(name));
      const input = { workspace_id, provider, source, ...Object.fromEntries(chosen) };
      return (await run(c, web, 'start_oauth', input))['authorization_url'] ?? '/integrations';
    }),
  );
  app.get('/api/oauth/callback', (c) => {
    const { code, state, error } = c.req.query();
    // A provider knows one redirect address, for linking an account and for signing in.
    if (signInWith.consents.isOurs(state ?? '')) return finishSignIn(c, signInWith);
    return redirectToResult(c, async () => {
      const said = { ...(code && { code }), state, ...(error && { error: error.slice(0, 200) }) };
      const { return_to = '/integrations', source = '', sync_error } = await run(c, web, 'finish_oauth', said);
      const unsynced = sync_error ? `&error=${encodeURIComponent(`The sync did not start: ${sync_error}`)}` : '';
      return `${return_to}?connected=${encodeURIComponent(source)}${unsynced}`;
    });
  });
  return app;
}

/** A stranger could write such a link and share the mailbox of the person who follows it. */
function createSharedByLinkError(): AppError {
  return new AppError(
    'forbidden',
    'A link cannot share an account with the workspace. Open Integrations, choose the service, and share it there.',
  );
}

/** Redirects the browser; the console shows errors. */
async function redirectToResult(c: Context<RestEnvironment>, next: () => Promise<string>): Promise<Response> {
  try {
    return c.redirect(await next());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message, details } = toPublicError(error, c.get('requestId'));
    const page = typeof details['return_to'] === 'string' ? details['return_to'] : '/integrations';
    return c.redirect(`${page}?error=${encodeURIComponent(message)}`);
  }
}

async function run(
  c: Context<RestEnvironment>,
  { catalogue, execute, findViewer }: WebDeps,
  name: string,
  input: Record<string, unknown>,
): Promise<Record<string, string>> {
  const operation = catalogue.get(name);
  if (!operation) throw new Error(`${name} is not in the catalogue`);
  // A browser that follows a link sends only the cookie. It may start a consent, and finish one that its session
  // started.
  const caller = (await findRequestViewer(c, findViewer))?.session ?? null;
  const output = await execute({ operation, input, caller, face: findFace(c), requestId: c.get('requestId') });
  return output as Record<string, string>; // checked by the operation's own output schema
}
