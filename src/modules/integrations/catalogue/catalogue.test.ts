import { expect, test } from 'vitest';
import { endpointSchema, partsOf, placeholdersOf } from '../executor/endpoint.ts';
import { descriptorSchema, type Call, type Listing, type Stream } from './descriptor.ts';
import { catalogue } from './index.ts';

const streams = catalogue.flatMap((descriptor) =>
  descriptor.streams.map((stream) => ({ name: `${descriptor.name} ${stream.name}`, descriptor, stream })),
);

test('descriptors are data: they can be written as JSON and read again', () => {
  expect(JSON.parse(JSON.stringify(catalogue))).toEqual(catalogue);
});

test.each(catalogue)('$name has the form of a descriptor', (descriptor) => {
  expect(descriptorSchema.safeParse(descriptor).error).toBeUndefined();
});

test.each(streams)('$name: every call is one that can be made, at the API itself', ({ descriptor, stream }) => {
  for (const { path, ...call } of callsOf(stream)) {
    const endpoint = { ...call, url: `${descriptor.api.baseUrl}${path}` };
    expect(endpointSchema.safeParse(endpoint).error).toBeUndefined();
    expect(new URL(endpoint.url).protocol).toBe('https:');
  }
});

test.each(streams)('$name: every placeholder is of something that is known there', ({ descriptor, stream }) => {
  const known = [...(stream.each ?? []).map(({ as }) => as), ...(stream.lookups ?? []).map(({ as }) => as)];
  const listed = [...known, 'since', 'until', 'page'];
  const detailed = [...listed, 'item', ...(stream.details ?? []).map(({ as }) => as)];
  for (const { path, ...call } of callsOf(stream)) {
    const isOfFile = stream.files?.content.path === path;
    const isOfItem =
      isOfFile || [...(stream.details ?? []), stream.files].some((each) => each?.listing.call.path === path);
    for (const name of placeholdersOf({ ...call, url: `${descriptor.api.baseUrl}${path}` }))
      expect(isOfFile ? [...detailed, 'file'] : isOfItem ? detailed : listed).toContain(name.split('.')[0]);
  }
  const { body, frontmatter, parts = [], ...page } = stream.page;
  const texts = [page.ref, page.title, page.author, page.occurredAt ?? '', ...body, ...Object.values(frontmatter)];
  for (const name of texts.flatMap(namesIn)) expect([...detailed, 'files']).toContain(name);
  const { files } = stream;
  for (const name of [files?.id, files?.name, files?.type, files?.size].flatMap((text) => namesIn(text ?? '')))
    expect([...detailed, 'file']).toContain(name);
  for (const { text, as } of parts) for (const name of namesIn(text)) expect([...detailed, as]).toContain(name);
});

function namesIn(text: string): (string | undefined)[] {
  return partsOf(text).flatMap((part) => ('path' in part ? [part.path.split('.')[0]] : []));
}

function callsOf({ each = [], listing, absence, details = [], lookups = [], files }: Stream): Call[] {
  const listings: Listing[] = [
    ...each.map((level) => level.listing),
    listing,
    ...(absence?.listing ? [absence.listing] : []),
    ...(files ? [files.listing] : []),
    ...details.map((detail) => detail.listing),
    ...lookups.map((lookup) => lookup.listing),
  ];
  const calls = listings.flatMap(({ call, nextCall }) => (nextCall ? [call, nextCall] : [call]));
  return files ? [...calls, files.content] : calls;
}
