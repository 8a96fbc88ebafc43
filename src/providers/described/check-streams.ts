// Checks the description of a reading: every placeholder must name something that exists.
import type { Descriptor, Stream } from './descriptor.ts';
import { findListingErrors, findPathErrors, findTextErrors } from './placeholders.ts';

/** All errors in the streams of a descriptor. */
export function* findStreamErrors({ api, streams }: Pick<Descriptor, 'api' | 'streams'>): Generator<string> {
  yield* findTextErrors('api.headers', api.headers, {});
  for (const stream of streams) yield* findErrorsOfStream(stream);
}

function* findErrorsOfStream({ name, listing, page }: Stream): Generator<string> {
  yield* findListingErrors(`${name}.listing`, listing, { since: null, until: null });
  const { ref, title, body, frontmatter, author, occurredAt, goneWhen } = page;
  const texts = { ref, title, body, frontmatter, author, occurredAt };
  yield* findTextErrors(`${name}.page`, texts, { item: null });
  if (goneWhen) yield* findPathErrors(`${name}.page.goneWhen`, goneWhen.at, { item: null });
}
