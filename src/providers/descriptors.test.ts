import { expect, test } from 'vitest';
import { endpointSchema } from './http/endpoint.ts';
import { descriptorSchema, type Stream } from './described/descriptor.ts';
import { catalogue } from './descriptors.ts';
import type { Call, Listing } from './http/api-schema.ts';

const streams = catalogue.flatMap((descriptor) =>
  descriptor.streams.map((stream) => ({ name: `${descriptor.name} ${stream.name}`, descriptor, stream })),
);

test('descriptors are data, but for how messages are read: they can be written as JSON and read again', () => {
  const data = catalogue.map((each) => ({
    ...each,
    streams: each.streams.map(({ messages: _messages, ...stream }) => stream),
  }));
  expect(JSON.parse(JSON.stringify(data))).toEqual(data);
});

test.each(catalogue)('the source $name has the form of a descriptor', (descriptor) => {
  expect(descriptorSchema.safeParse(descriptor).error).toBeUndefined();
});

test.each(streams)(
  'every call of the source $name is possible, and goes to the API itself',
  ({ descriptor, stream }) => {
    for (const { path, ...call } of callsOf(stream)) {
      const endpoint = { ...call, url: `${descriptor.api.baseUrl}${path}` };
      expect(endpointSchema.safeParse(endpoint).error).toBeUndefined();
      expect(new URL(endpoint.url).protocol).toBe('https:');
    }
  },
);

function callsOf({ each = [], listing, absence, details = [], lookups = [], files }: Stream): Call[] {
  const listings: Listing[] = [
    ...each.flatMap((level) => [level.listing, ...(level.below ? [level.below.listing] : [])]),
    listing,
    ...(absence?.listing ? [absence.listing] : []),
    ...(files ? [files.listing] : []),
    ...details.flatMap(({ listing: own, below }) => (below ? [own, below.listing] : [own])),
    ...lookups.map((lookup) => lookup.listing),
  ];
  const calls = listings.flatMap(({ call, nextCall }) => (nextCall ? [call, nextCall] : [call]));
  calls.push(...each.flatMap(({ special = [] }) => special.map(({ call }) => call)));
  return files ? [...calls, files.content] : calls;
}
