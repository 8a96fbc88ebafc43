import { expect, test } from 'vitest';
import { writtenBeside } from '../actions/index.ts';
import { endpointSchema } from '../executor/endpoint.ts';
import { descriptorSchema, type Stream } from './descriptor.ts';
import { catalogue } from './index.ts';
import { otherNamesOf } from './known.ts';
import { payloadOf, previewOf } from './payload.ts';
import type { Call, Listing } from './pieces.ts';
import { writeSchema } from './write.ts';

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

const described = catalogue.map(({ name, api, writes = [] }) => ({ source: name, api, writes }));
const writes = [...described, ...writtenBeside].flatMap(({ source, api, writes: all }) =>
  all.map((write) => ({ name: `${source} ${write.name}`, api, write })),
);

test.each(writes)('$name has the form of a write, and is data', ({ write }) => {
  expect(writeSchema.safeParse(write).error).toBeUndefined();
  expect(JSON.parse(JSON.stringify(write))).toEqual(write);
});

test.each(writes)('$name: its example is one, and is shown whole', ({ write }) => {
  const payload = payloadOf(write).parse(write.example);
  const shown = previewOf(write, payload).fields.map(({ label }) => label);
  for (const name of Object.keys(write.example)) expect(shown).toContain(write.fields[name]?.label);
});

test('the pattern for names that are not known has one star where several words may be left out', () => {
  const patterns = writes.map(({ write }) => otherNamesOf(write) ?? '');
  expect(patterns).toContain('channel *');
  expect(patterns.filter((pattern) => /\*\s*\*/.test(pattern))).toEqual([]);
});

test.each(writes)('$name: what it keeps has no name that something else has', ({ write }) => {
  const given = ['input', 'text', 'sent', 'parts', 'html', 'ids', 'names', 'time', 'draft', 'page'];
  for (const { as } of [...(write.before ?? []), ...(write.known?.also ?? [])])
    expect([...given, 'known', 'item', 'result']).not.toContain(as);
});

test.each(writes)('$name: every call is one that can be made', ({ api, write }) => {
  const sought = [...(write.before ?? []), ...(write.known?.also ?? []), ...(write.lookups ?? [])];
  const calls = sought.flatMap(({ one, listing }) => [one?.call, listing?.call, listing?.nextCall]);
  calls.push(write.call, write.abandon, write.files?.small.call, write.files?.large.call);
  calls.push(...(write.undo?.steps ?? []).map(({ call }) => call));
  for (const { path, ...call } of calls.filter((each) => each !== undefined))
    expect(endpointSchema.safeParse({ ...call, url: `${api.baseUrl}${path}` }).error).toBeUndefined();
});

test.each(writes)('$name: what is told before anybody decides does not change with what can be edited', ({ write }) => {
  const steps = [...(write.before ?? []), ...(write.known?.also ?? [])];
  const { also: _also, ...told } = write.known ?? {};
  const said = JSON.stringify(told);
  const used = JSON.stringify([
    told,
    ...steps.filter(({ as }) => said.includes(`{{${as}.`) || said.includes(`"${as}.`)),
  ]);
  for (const field of write.editable)
    for (const form of ['input', 'ids', 'names', 'sent', 'time'])
      expect(used).not.toMatch(new RegExp(`\\b${form}\\.${field}\\b`));
});

test.each(writes)('$name: whom the provider alone knows is asked for', ({ write }) => {
  expect(write.known?.people !== undefined).toBe(write.reachesOthers === true);
});

test.each(writes)('$name: what it does can be found again, unless it says that it cannot', ({ write }) => {
  expect((write.lookups ?? []).length > 0).toBe(write.handle !== 'none');
  for (const { listing, one } of write.lookups ?? []) expect([listing, one].filter(Boolean)).toHaveLength(1);
});

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

test.each(writes)('$name: what a search finds is believed only after its own identity was compared', ({ write }) => {
  for (const { listing, where = [], like = [], which = [] } of write.lookups ?? []) {
    if (!listing) continue;
    const compared = JSON.stringify([where, like, which]);
    const isOwn = write.handle === 'mark' || write.handle === 'chosen_id';
    expect(compared, 'of a list').toMatch(isOwn ? /\{\{draft\./ : /\{\{/);
  }
  for (const { again } of write.before ?? [])
    if (again) expect(JSON.stringify(again.where), 'made before').toContain('{{draft.');
});
