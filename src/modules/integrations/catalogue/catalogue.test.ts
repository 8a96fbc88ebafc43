import { expect, test } from 'vitest';
import { writtenBeside } from '../actions/index.ts';
import { endpointSchema, partsOf, placeholdersOf } from '../executor/endpoint.ts';
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

test.each(streams)('$name: every placeholder is of something that is known there', ({ descriptor, stream }) => {
  const known = [...(stream.each ?? []).map(({ as }) => as), ...(stream.lookups ?? []).map(({ as }) => as)];
  const listed = [...known, 'since', 'until', 'page'];
  const details = (stream.details ?? []).flatMap(({ as, below }) => [as, ...(below ? [below.as] : [])]);
  const detailed = [...listed, 'item', ...details];
  for (const { path, ...call } of callsOf(stream)) {
    const isOfFile = stream.files?.content.path === path;
    const isOfItem =
      isOfFile ||
      [
        ...(stream.details ?? []).flatMap(({ listing, below }) => [listing, below?.listing]),
        stream.files?.listing,
      ].some((each) => each?.call.path === path);
    for (const name of placeholdersOf({ ...call, url: `${descriptor.api.baseUrl}${path}` }))
      expect(isOfFile ? [...detailed, 'file'] : isOfItem ? detailed : listed).toContain(name.split('.')[0]);
  }
  const { call, above = [] } = stream.absence?.check ?? { call: null };
  for (const { path, ...asked } of [...(call ? [call] : []), ...above.map((each) => each.call)])
    expect([...placeholdersOf({ ...asked, url: `${descriptor.api.baseUrl}${path}` })]).toEqual(['ref']);
  const { body, frontmatter, parts = [], ...page } = stream.page;
  const texts = [page.ref, page.title, page.author, page.occurredAt ?? '', ...body, ...Object.values(frontmatter)];
  for (const name of texts.flatMap(namesIn)) expect([...detailed, 'files']).toContain(name);
  const { files } = stream;
  for (const name of [files?.id, files?.name, files?.type, files?.size].flatMap((text) => namesIn(text ?? '')))
    expect([...detailed, 'file']).toContain(name);
  for (const { text, as, said } of parts) {
    for (const name of namesIn(text)) expect([...detailed, as, ...(said ? ['said'] : [])]).toContain(name);
    for (const name of namesIn(said ?? '')) expect([...detailed, as]).toContain(name);
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

test.each(writes)('$name: what can be edited and who receives it are fields of it', ({ write }) => {
  const fields = Object.keys(write.fields);
  for (const name of [
    ...write.editable,
    ...(write.recipients ?? []),
    ...(write.oneOf ?? []),
    ...(write.notBoth ?? []),
    ...Object.values(write.span ?? {}),
  ])
    expect(fields).toContain(name);
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

test.each(writes)('$name: every placeholder is of something that is known there', ({ api, write }) => {
  const given = ['input', 'text', 'sent', 'parts', 'html', 'ids', 'names', 'time', 'draft', 'page'];
  const steps = write.before ?? [];
  for (const { as } of steps) expect([...given, 'known', 'item', 'result']).not.toContain(as);
  const kept = [...given, ...steps.map(({ as }) => as)];
  const check = ({ path, ...call }: Call, known: readonly string[]) => {
    const endpoint = { ...call, url: `${api.baseUrl}${path}` };
    expect(endpointSchema.safeParse(endpoint).error).toBeUndefined();
    const loops = [...JSON.stringify(call).matchAll(/"\$as":"(\w+)"/g)].map(([, as]) => as);
    for (const name of placeholdersOf(endpoint)) expect([...known, ...loops]).toContain(name.split('.')[0]);
  };
  check(write.call, kept);
  if (write.abandon) check(write.abandon, kept);
  for (const { call, each } of write.undo?.steps ?? []) check(call, [...kept, 'result', ...(each ? [each.as] : [])]);
  for (const step of [...steps, ...(write.lookups ?? [])])
    for (const call of [step.one?.call, step.listing?.call, step.listing?.nextCall]) if (call) check(call, kept);
  for (const { where = [], ...step } of [...steps, ...(write.lookups ?? [])])
    for (const { is = '', contains = '', has = '', lacks = '' } of where)
      for (const name of [is, contains, has, lacks].flatMap(namesIn))
        expect([...kept, ...('each' in step ? [step.each?.as] : [])]).toContain(name);
  const { also = [], names = [], shown = [], people = [] } = write.known ?? {};
  const found = [...kept, ...also.map(({ as }) => as)];
  for (const { one, listing } of also) for (const call of [one?.call, listing?.call]) if (call) check(call, found);
  const told = [
    ...names.map((name) => (typeof name === 'string' ? name : name.text)),
    ...shown.map(({ text }) => text),
  ];
  for (const name of told.flatMap(namesIn)) expect(found).toContain(name);
  for (const { at, or = at } of people) for (const place of [at, or]) expect(found).toContain(place.split('.')[0]);
  for (const text of [write.title, write.target, ...(write.notes ?? []).map((note) => note.text)])
    for (const name of namesIn(text)) expect(name).toBe('input');
  for (const text of Object.values(write.result))
    for (const name of namesIn(text)) expect([...kept, 'item']).toContain(name);
  for (const path of placeholdersOf({ ...write.call, url: 'https://x.example' }))
    if (path.startsWith('input.')) expect(Object.keys(write.fields)).toContain(path.split('.')[1]);
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

function namesIn(text: string): (string | undefined)[] {
  return partsOf(text).flatMap((part) => ('path' in part ? [part.path.split('.')[0]] : []));
}

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
