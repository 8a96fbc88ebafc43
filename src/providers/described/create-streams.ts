// The streams of a description, in the form that the stream engine reads.
import { resolveAtApi, fill, isFulfilled, pickRefusals, readValue, fillTemplate } from '#providers/http';
import {
  defineStream,
  readStreamChanges,
  type AnyStream,
  type Changes,
  type Reader,
  type ChangesSince,
} from '#providers/reading';
import type { Descriptor, Stream } from './descriptor.ts';
import { readListPage, type AskEndpoint } from './list.ts';
import { buildContent } from './write-page.ts';

/** The changes in all streams of a descriptor. */
export function readDescribedChanges(
  descriptor: Descriptor,
  { ask, account, since }: { ask: AskEndpoint; account: string; since: ChangesSince },
): AsyncGenerator<Changes> {
  const streams = descriptor.streams.map((stream) => createStream(ask, stream));
  return readStreamChanges({ name: descriptor.name }, streams, { account, since });
}

/** Sends the requests of a descriptor. */
export function createDescribedAsk({ api }: Pick<Descriptor, 'api'>, reader: Pick<Reader, 'ask'>): AskEndpoint {
  return async ({ path, ...call }, values, { nextUrl, known } = {}) => {
    const endpoint = { ...call, url: `${api.baseUrl}${path}`, headers: { ...api.headers, ...call.headers } };
    const request = fill(endpoint, values);
    const asked = nextUrl === undefined ? request : { ...request, url: resolveAtApi(nextUrl, api.baseUrl) };
    return reader.ask(asked, { ...pickRefusals(api), known });
  };
}

function createStream(ask: AskEndpoint, stream: Stream): AnyStream {
  const { name, page, since, absence, isConditional } = stream;
  const { goneWhen } = page;
  return defineStream({
    name,
    type: page.type,
    async listPage({ of: _of, page: position, known, ...times }) {
      const { data, ...answer } = await readListPage(ask, stream.listing, times, position, known);
      return { ...answer, total: readTotal(data, stream) };
    },
    since: { as: since.as, isUnsorted: since.isUnsorted },
    readTimes: (item) => [readValue(item, since.at)],
    isConditional,
    ...(absence && { absence: {} }),
    buildRef: (item) => fillTemplate(page.ref, { item }),
    ...(goneWhen && { isGone: (item: unknown) => isFulfilled(goneWhen, { item }) }),
    readItem: (item) => buildContent(page, { item }),
  });
}

function readTotal(data: unknown, { total }: Stream): number | undefined {
  const all = total === undefined ? undefined : readValue(data, total);
  return typeof all === 'number' ? all : undefined;
}
