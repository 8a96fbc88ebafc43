import type { Context } from '#kernel/context';
import { listConnections } from '#modules/connections';

/** Names of the sources that the caller's linked accounts can serve now. */
export async function connectedSources(
  ctx: Context,
  sources: readonly { name: string; provider: string }[],
): Promise<string[]> {
  const connections = await listConnections(ctx.db, ctx.caller.personId);
  const providers = new Set(connections.filter((row) => row.status === 'active').map((row) => row.provider));
  return sources.filter((source) => providers.has(source.provider)).map((source) => source.name);
}
