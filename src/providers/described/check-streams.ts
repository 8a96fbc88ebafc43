// Checks the description of a reading: finds unknown placeholders.
import type { Descriptor, Stream } from './descriptor.ts';
import { wrongInListing, wrongInPath, wrongInTexts } from './placeholders.ts';

/** All errors in the streams of a descriptor. */
export function* wrongInStreams({ api, streams }: Pick<Descriptor, 'api' | 'streams'>): Generator<string> {
  yield* wrongInTexts('api.headers', api.headers, {});
  for (const stream of streams) yield* wrongInStream(stream);
}

function* wrongInStream({ name, listing, page }: Stream): Generator<string> {
  yield* wrongInListing(`${name}.listing`, listing, { since: null, until: null });
  const { ref, title, body, frontmatter, author, occurredAt, goneWhen } = page;
  const texts = { ref, title, body, frontmatter, author, occurredAt };
  yield* wrongInTexts(`${name}.page`, texts, { item: null });
  if (goneWhen) yield* wrongInPath(`${name}.page.goneWhen`, goneWhen.at, { item: null });
}
