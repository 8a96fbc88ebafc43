import type { Transactions } from '#kernel/database';

/** Transactions that report every committed write, by its workspace. */
export type WatchedTransactions = Transactions & {
  onWrite(listener: (workspaceId: string) => void): void;
  /** For writes that are not reported. */
  unwatched: Transactions;
};

/** Wraps transactions for work that must follow every write, without changes in the writing code. */
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
