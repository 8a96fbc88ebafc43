// The bots that a person may use, as linked accounts of the provider.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { isAccountHolder, listConnections, type ConnectionRow } from '#modules/connections';
import { listCredentialHolders, resolveByChain } from '#modules/variables';

/**
 * The bot with this id, or the caller's only one. Throws an error that says what to do when there is none, or when
 * there are several.
 */
export async function chooseBot(
  ctx: Context,
  connectionId: string | undefined,
  publicUrl: string,
): Promise<ConnectionRow> {
  const holders = await listCredentialHolders(ctx.db, ctx.caller);
  const rows = await listConnections(ctx.db, holders, { provider: 'telegram' });
  const url = `${publicUrl}/integrations/telegram`;
  if (connectionId !== undefined) {
    const named = rows.find(({ id }) => id === connectionId);
    if (named) return named;
    throw new AppError('conflict', 'connection_id: this linked account is not a Telegram bot.', { connect_url: url });
  }
  const active = rows.filter(({ status }) => status === 'active');
  const found = await resolveByChain(holders, (holder) => {
    const holderBots = active.filter((row) => isAccountHolder(row, holder));
    return holderBots.length ? holderBots : undefined;
  });
  const usable = found?.value ?? [];
  const [only] = usable;
  if (only && usable.length === 1) return only;
  if (!only) {
    const message = `No Telegram bot is connected. Ask the person to connect one at ${url}`;
    throw new AppError('conflict', message, { connect_url: url });
  }
  const names = usable.map(({ account, id }) => `${account} (${id})`).join(', ');
  throw new AppError('invalid_input', `connection_id: several bots are connected. Choose one: ${names}.`);
}
