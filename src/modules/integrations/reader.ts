import { AppError } from '#kernel/errors';
import { bodyJson, bodyText } from '#platform/egress';
import type { z } from 'zod';
import { createGate, type Gate } from './gate.ts';
import type { Link, ProviderClient } from './provider-client.ts';
import type { Reader } from './sources/source.ts';

/** Requests at a time for one account: providers count per account, and a person uses theirs meanwhile. */
const atOnce = 5;
/** A large file may take its time. */
const fileTimeoutMs = 120_000;

/** Makes readers for linked accounts. All readers of an account in this process share its five places. */
export function createReaders(client: ProviderClient): (link: Link, account: string) => Reader {
  const gates = new Map<string, Gate>();

  async function inTurn<T>({ connectionId }: Link, work: () => Promise<T>): Promise<T> {
    let gate = gates.get(connectionId);
    if (!gate) gates.set(connectionId, (gate = createGate(atOnce)));
    try {
      return await gate.pass(work);
    } finally {
      if (gate.isEmpty()) gates.delete(connectionId);
    }
  }

  return (link, account) => ({
    account,
    async get(schema, url, query) {
      const answer = await inTurn(link, () => client.json(link, { method: 'GET', url, ...(query && { query }) }));
      const parsed = schema.safeParse(answer);
      if (!parsed.success) throw unexpected(parsed.error);
      return parsed.data;
    },
    async ask(request, refusedWhen) {
      const response = await inTurn(link, () =>
        client.send(link, { ...request, isRead: true, ...(refusedWhen && { refusedWhen }) }),
      );
      return { data: bodyJson(response), nextUrl: nextIn(response.headers['link']) };
    },
    async bytes(request, maxBytes) {
      const headers = { accept: '*/*', ...request.headers };
      const asked = { ...request, headers, isRead: true, maxBytes, timeoutMs: fileTimeoutMs };
      return (await inTurn(link, () => client.send(link, asked))).body;
    },
    async text(url, query) {
      const accept = { accept: '*/*' };
      return bodyText(
        await inTurn(link, () => client.send(link, { method: 'GET', url, headers: accept, ...(query && { query }) })),
      );
    },
  });
}

/** RFC 8288: `<https://…>; rel="next", …`. */
function nextIn(link = ''): string | null {
  return /<([^>]*)>\s*;(?:[^,<]*;)?\s*rel="?next"?/i.exec(link)?.[1] ?? null;
}

function unexpected(cause: z.ZodError): AppError {
  const message = 'The provider answered something other than its documentation says. Try again later.';
  return new AppError('upstream_failed', message, { errorCategory: 'bad_response' }, { cause });
}
