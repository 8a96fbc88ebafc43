import type { Catalogue } from '#kernel/catalogue';
import { AppError, publicError } from '#kernel/errors';
import type { Execute } from '#kernel/execute';
import { callerOf, type RestEnvironment } from '#faces/rest';
import type { Authenticate } from '#modules/accounts';
import { Hono, type Context } from 'hono';

/** Where the provider sends the browser back to. It runs `finish_oauth` and shows the console what came of it. */
export function oauthRoutes(options: {
  catalogue: Catalogue;
  execute: Execute;
  authenticate: Authenticate;
}): Hono<RestEnvironment> {
  const app = new Hono<RestEnvironment>();
  app.get('/api/oauth/callback', async (c) => {
    try {
      const { return_to, source } = await finish(c, options);
      return c.redirect(`${return_to}?connected=${encodeURIComponent(source)}`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { message } = publicError(error, c.get('requestId'));
      return c.redirect(`/integrations?error=${encodeURIComponent(message)}`);
    }
  });
  return app;
}

async function finish(
  c: Context<RestEnvironment>,
  { catalogue, execute, authenticate }: { catalogue: Catalogue; execute: Execute; authenticate: Authenticate },
): Promise<{ return_to: string; source: string }> {
  const operation = catalogue.get('finish_oauth');
  if (!operation) throw new Error('finish_oauth is not in the catalogue');
  const { code, state, error } = c.req.query();
  if (error) throw new AppError('conflict', refusal(error));
  const caller = await callerOf(c, authenticate);
  const output = await execute({ operation, input: { code, state }, caller, requestId: c.get('requestId') });
  return output as { return_to: string; source: string }; // checked by the operation's own output schema
}

function refusal(error: string): string {
  if (error === 'access_denied') return 'The account was not linked: access was declined at the provider.';
  return `The provider refused: ${error.slice(0, 100)}.`;
}
