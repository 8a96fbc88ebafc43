import type { Db, Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import type { Round } from '#kernel/module';
import { findConnection, type ConnectionRow } from '#modules/connections';
import { queryWorkspaceIds } from '#platform/database';
import { sql } from 'kysely';
import { beginBot, listEndedBots } from '../store/bots.ts';
import { hasLinks } from '../store/links.ts';

/**
 * Starts listening to a bot. Throws `conflict` when another connection of this server already has it, in any workspace.
 */
export async function beginListening(db: Db, row: ConnectionRow, at: Date): Promise<void> {
  try {
    await beginBot(db, { connection_id: row.id, workspace_id: row.workspace_id, bot_id: row.account_id, at });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === '23505')) throw error;
    const message = `${row.account} is already used by another connection on this server. Two would take each other’s messages. Make another bot with @BotFather.`;
    throw new AppError('conflict', message, { connection_id: row.id }, { cause: error });
  }
}

type BeginListeningDeps = { transactions: Transactions; now: () => Date };

/**
 * Once a minute: bots that were disconnected and are connected again are listened to again, with their linked phones.
 */
export function beginAgainRound(parts: BeginListeningDeps): Round {
  return {
    name: 'telegram.begin',
    findWorkspaces: (db) => queryWorkspaceIds(db, sql`workspaces_with_returned_bots()`),
    run: (workspaceId) => beginAgain(parts, workspaceId),
  };
}

async function beginAgain({ transactions, now }: BeginListeningDeps, workspaceId: string): Promise<void> {
  for (const id of await transactions.run(workspaceId, 'read', listEndedBots)) {
    const begun = transactions.run(workspaceId, 'write', async (db) => {
      const row = await findConnection(db, id);
      if (row?.status === 'active' && (await hasLinks(db, id))) await beginListening(db, row, now());
    });
    await begun.catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error; // another process has the bot now
    });
  }
}
