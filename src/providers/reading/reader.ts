import { AppError } from '#kernel/errors';
import { decodeBodyText } from '#platform/egress';
import type { Extraction } from '#platform/extraction';
import type { z } from 'zod';
import PQueue from 'p-queue';
import { createAsk, type Link, buildConditionalHeaders, type ProviderClient, readVersion } from '#providers/http';
import type { Reader } from './source.ts';

/** The part of a linked account that a reader passes to its source. */
export type ReadAccount = { known_as: string; settings: { url?: string } };

/** Makes the reader of a linked account. */
export type CreateReader = (link: Link, account: ReadAccount) => Reader;

/** Concurrent requests for one account. Providers count requests per account, and the person uses the account too. */
const atOnce = 5;
/** A large file may take long, as long as bytes keep arriving. */
const fileTimes = { timeoutMs: 600_000, idleMs: 30_000 };

/** At most this many characters of a file's words: a page has no more. */
const longestText = 400_000;

/** Creates readers for linked accounts. All readers of an account in this process share its five slots. */
export function createReaders(client: ProviderClient, extraction: Extraction): CreateReader {
  const queues = new Map<string, PQueue>();

  function getQueue(connectionId: string): PQueue {
    const queue = new PQueue({ concurrency: atOnce });
    queue.addEventListener('idle', () => queues.delete(connectionId));
    queues.set(connectionId, queue);
    return queue;
  }

  function inTurn<T>({ connectionId }: Link, work: () => Promise<T>): Promise<Awaited<T>> {
    return (queues.get(connectionId) ?? getQueue(connectionId)).add(work);
  }

  function createReader(link: Link, { known_as, settings }: ReadAccount): Reader {
    return {
      account: known_as,
      address: settings.url ?? null,
      async get(schema, url, query) {
        const answer = await inTurn(link, () => client.json(link, { method: 'GET', url, ...(query && { query }) }));
        const parsed = schema.safeParse(answer);
        if (!parsed.success) throw createUnexpectedAnswerError(parsed.error);
        return parsed.data;
      },
      ask: (request, more) => inTurn(link, () => createAsk(client, link)(request, more)),
      async own(known, { maxBytes }) {
        const headers = { accept: '*/*', ...buildConditionalHeaders(known) };
        const response = await inTurn(link, () => client.send(link, { method: 'GET', headers, maxBytes }));
        // The address is the secret, so it is not stored with the version.
        return response.status === 304 ? null : { text: decodeBodyText(response), version: readVersion('', response) };
      },
      stream(request, maxBytes, read) {
        const headers = { accept: '*/*', ...request.headers };
        const asked = { ...request, headers, isRead: true, maxBytes, ...fileTimes };
        return inTurn(link, () => client.stream(link, asked, read));
      },
      async readWords(url, query, file) {
        const request = { method: 'GET' as const, url, headers: { accept: '*/*' }, ...(query && { query }) };
        // A file keeps its slot while it is read, which limits the files in memory.
        return inTurn(link, async () => {
          const { body: bytes } = await client.send(link, request);
          const { text } = await extraction.text({ bytes, turnOf: link.connectionId, ...file }, longestText);
          return text;
        });
      },
      async text(url, query) {
        const accept = { accept: '*/*' };
        return decodeBodyText(
          await inTurn(link, () => client.send(link, { method: 'GET', url, headers: accept, ...(query && { query }) })),
        );
      },
    };
  }

  return createReader;
}

function createUnexpectedAnswerError(cause: z.ZodError): AppError {
  const message = "The provider's answer differs from its documentation. Try again later.";
  return new AppError('upstream_failed', message, { errorCategory: 'bad_response' }, { cause });
}
