// A described provider as a source like any other.
import { z } from 'zod';
import { atApi, fill, refusalsOf } from '#providers/http';
import { type Batch, defineSource, fromNothing, type Reader, type Source, windowOf } from '#providers/reading';
import { wrongInStreams } from './check-streams.ts';
import type { Descriptor } from './descriptor.ts';
import type { Ask } from './list.ts';
import { refuseWrong } from './placeholders.ts';
import { streamChanges } from './read-streams.ts';

const input = z.strictObject({
  since: z
    .union([z.iso.date(), z.iso.datetime({ offset: true })])
    .describe('What was changed since: an ISO date or time.'),
  limit: z.number().int().min(1).max(250).default(100).describe('At most so many.'),
});

/** The source that a descriptor describes. Throws an `Error` that names a placeholder which would never have a value. */
export function sourceOf(descriptor: Descriptor): Source {
  refuseWrong(descriptor.name, [...wrongInStreams(descriptor)]);
  const { name, label, description, provider, scopes, linkedBy, coverage } = descriptor;
  const source = defineSource({
    name,
    label,
    description,
    provider,
    scopes,
    coverage,
    ...(linkedBy && { linkedBy }),
    supports: { fetch: true, act: false, adapter: false },
    input,
    hint: 'Pass input: {since, limit?}, such as {"since": "2026-06-01"}, or a request that names days, such as «last week».',
    inputOf(request, moment) {
      const window = windowOf(request, moment);
      return window && { since: window.start };
    },
    async *read(reader, { since, limit }, { now }) {
      let left = limit;
      const reading = { ask: askOf(descriptor, reader), account: reader.account };
      for await (const { pages, errors, leftOut, total } of streamChanges(descriptor, {
        ...reading,
        since: { ...fromNothing, from: new Date(since), now },
      })) {
        yield { pages: pages.slice(0, left), errors, ...(leftOut && { leftOut }), total } satisfies Batch;
        left -= pages.length;
        if (left <= 0) return;
      }
    },
    changes: (reader, since) =>
      streamChanges(descriptor, { ask: askOf(descriptor, reader), account: reader.account, since }),
    ...(descriptor.streams.some(({ files }) => files) && { file: fileOf(descriptor) }),
  });
  // The input of each source is its own; the catalogue's callers parse by it before they pass it on.
  return source as unknown as Source;
}

/** Sends a request of the descriptor. */
export function askOf({ api }: Pick<Descriptor, 'api'>, reader: Pick<Reader, 'ask'>): Ask {
  return async ({ path, ...call }, values, { nextUrl, known } = {}) => {
    const endpoint = { ...call, url: `${api.baseUrl}${path}`, headers: { ...api.headers, ...call.headers } };
    const request = fill(endpoint, values);
    const asked = nextUrl === undefined ? request : { ...request, url: atApi(nextUrl, api.baseUrl) };
    return reader.ask(asked, { ...refusalsOf(api), known });
  };
}

const handle = z.object({ url: z.string(), headers: z.record(z.string(), z.string()) });

/** Requests a file by the description on its page, at the API itself. */
function fileOf({ api }: Descriptor): NonNullable<Source['file']> {
  return (reader, found, maxBytes, read) => {
    const { url, headers } = handle.parse(found);
    return reader.stream({ method: 'GET', url: atApi(url, api.baseUrl), headers }, maxBytes, read);
  };
}
