import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { mapContentBrains } from './store/connectors.ts';

/**
 * Throws unless the caller may read the events of a connector: as its owner or a member of its brain. Being an
 * administrator is not enough.
 */
export async function checkContents(ctx: Context, connectorId: string): Promise<void> {
  const brainId = (await mapContentBrains(ctx.db, [connectorId], ctx.caller)).get(connectorId);
  if (brainId === undefined) throw createNotFoundError('webhook connector');
  if (brainId === null || (await ctx.brains()).roles.has(brainId)) return;
  throw new AppError(
    'forbidden',
    'What this connector received is shown to its owner and to members of its brain. Ask one of them.',
  );
}
