// The common parts of sources that are read by streams.
import { z } from 'zod';
import { parseDateWindow } from '../date-window.ts';
import { defineSource, fromNothing, type Batch, type Reader, type Source } from '../source.ts';
import { readStreamChanges } from './read-streams.ts';
import type { AnyStream, StreamSource } from './stream.ts';

const input = z.strictObject({
  since: z
    .union([z.iso.date(), z.iso.datetime({ offset: true })])
    .describe('Read what changed since then: an ISO date or time.'),
  limit: z.number().int().min(1).max(250).default(100).describe('At most this many items.'),
});

/** The facts of a source, and its streams for one reading. */
export type StreamSourceParts = Pick<
  Source,
  'name' | 'label' | 'description' | 'icon' | 'provider' | 'scopes' | 'linkedBy' | 'coverage' | 'file'
> &
  StreamSource & { openStreams(reader: Reader): readonly AnyStream[] };

/**
 * Declares a source whose streams the engine reads: on demand since a given day, and in syncs since the last change.
 */
export function defineStreamSource({ openStreams, revision, renewedAfterDays, ...parts }: StreamSourceParts): Source {
  const about: StreamSource = { name: parts.name, revision, renewedAfterDays };
  const source = defineSource({
    ...parts,
    supports: { fetch: true, act: false, adapter: false },
    input,
    hint: 'Pass input: {since, limit?}, such as {"since": "2026-06-01"}, or a request that names days, such as «last week».',
    parseRequest(request, moment) {
      const window = parseDateWindow(request, moment);
      return window && { since: window.start };
    },
    async *read(reader, { since, limit }, { now }) {
      let left = limit;
      const reading = { account: reader.account, since: { ...fromNothing, from: new Date(since), now } };
      for await (const changes of readStreamChanges(about, openStreams(reader), reading)) {
        const { pages, errors, leftOut, total } = changes;
        yield { pages: pages.slice(0, left), errors, ...(leftOut && { leftOut }), total } satisfies Batch;
        left -= pages.length;
        if (left <= 0) return;
      }
    },
    changes: (reader, since) => readStreamChanges(about, openStreams(reader), { account: reader.account, since }),
  });
  // Each source has its own input; callers parse the input before they pass it on.
  return source as unknown as Source;
}
