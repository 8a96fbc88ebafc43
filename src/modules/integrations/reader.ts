import { createGate, type Gate } from './gate.ts';
import type { Link, ProviderClient } from './provider-client.ts';
import type { Reader } from './sources/source.ts';

/** Requests at a time for one account: providers count per account, and a person uses theirs meanwhile. */
const atOnce = 5;

/** Makes readers for linked accounts. All readers of an account in this process share its five places. */
export function createReaders(client: ProviderClient): (link: Link, account: string) => Reader {
  const gates = new Map<string, Gate>();
  return (link, account) => ({
    account,
    async get(url, query) {
      let gate = gates.get(link.connectionId);
      if (!gate) gates.set(link.connectionId, (gate = createGate(atOnce)));
      try {
        return await gate.pass(() => client.json(link, { method: 'GET', url, ...(query && { query }) }));
      } finally {
        if (gate.isEmpty()) gates.delete(link.connectionId);
      }
    },
  });
}
