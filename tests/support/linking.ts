// Links an account at any provider as a person does in the browser.
import { signIn } from './google.ts';
import type { ReachedServer } from './server.ts';

/** Opens the consent page of a source, has `approve` answer it, and comes back. Answers the connection's id. */
export async function linkAccount(
  server: ReachedServer,
  { access = 'act', ...of }: { provider: string; source: string; access?: 'read' | 'act' },
  approve: (authorizationUrl: string) => Promise<string>,
): Promise<string> {
  const browser = await signIn(server);
  const { authorization_url } = await browser.ok('start_oauth', { ...of, access });
  const { code, state } = Object.fromEntries(new URL(await approve(String(authorization_url))).searchParams);
  const linked = await browser.ok('finish_oauth', { code, state });
  return String(linked['connection_id']);
}
