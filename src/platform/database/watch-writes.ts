import type { Transactions } from '#kernel/database';

/** Transactions that tell of every write that was committed, by its workspace. */
export type WatchedTransactions = Transactions & {
  onWrite(listener: (workspaceId: string) => void): void;
  /** For writes that nobody is to be told of. */
  unwatched: Transactions;
};

/** Wraps transactions, for work that follows writes and is not known to those who write. */
export function watchWrites(transactions: Transactions): WatchedTransactions {
  const listeners: ((workspaceId: string) => void)[] = [];
  return {
    async run(workspaceId, mode, work, options) {
      const value = await transactions.run(workspaceId, mode, work, options);
      if (mode === 'write') for (const listener of listeners) listener(workspaceId);
      return value;
    },
    unwatched: transactions,
    onWrite: (listener) => void listeners.push(listener),
  };
}
