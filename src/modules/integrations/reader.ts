import { AppError } from '#kernel/errors';
import type { z } from 'zod';
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
    async get(schema, url, query) {
      let gate = gates.get(link.connectionId);
      if (!gate) gates.set(link.connectionId, (gate = createGate(atOnce)));
      try {
        const answer = await gate.pass(() => client.json(link, { method: 'GET', url, ...(query && { query }) }));
        const parsed = schema.safeParse(answer);
        if (!parsed.success) throw unexpected(parsed.error);
        return parsed.data;
      } finally {
        if (gate.isEmpty()) gates.delete(link.connectionId);
      }
    },
  });
}

function unexpected(cause: z.ZodError): AppError {
  const message = 'The provider answered something other than its documentation says. Try again later.';
  return new AppError('upstream_failed', message, { errorCategory: 'bad_response' }, { cause });
}
