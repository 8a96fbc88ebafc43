// Checks the description of a provider's reading: finds unknown placeholders.
import type { Descriptor, Level, Stream } from './descriptor.ts';
import { named, wrongInCall, wrongInListing, wrongInPath, wrongInTexts, type Names } from './placeholders.ts';

/** All errors in the streams of a descriptor. */
export function* wrongInStreams({ api, streams }: Pick<Descriptor, 'api' | 'streams'>): Generator<string> {
  yield* wrongInTexts('api.headers', api.headers, {});
  for (const stream of streams) yield* wrongInStream(stream);
}

function* wrongInStream(stream: Stream): Generator<string> {
  const { name, each = [], listing, absence, lookups = [] } = stream;
  for (const { as, listing: names } of lookups) yield* wrongInListing(`${name}.lookups.${as}`, names, {});
  for (const [position, level] of each.entries()) yield* wrongInLevel(name, level, levelsOf(each.slice(0, position)));
  const levels = levelsOf(each);
  yield* wrongInListing(`${name}.listing`, listing, { ...levels, since: null, until: null });
  yield* wrongInListing(`${name}.absence`, absence?.listing, levels);
  const { check } = absence ?? {};
  yield* wrongInCall(`${name}.absence.check`, check?.call, { ref: null });
  for (const { call } of check?.above ?? []) yield* wrongInCall(`${name}.absence.check.above`, call, { ref: null });
  yield* wrongInItem(stream, levels);
}

function levelsOf(levels: readonly Level[]): Record<string, Names> {
  return named(levels.map(({ as }) => as));
}

function* wrongInLevel(stream: string, level: Level, known: Names): Generator<string> {
  const { as, listing, below, special = [] } = level;
  yield* wrongInListing(`${stream}.each.${as}`, listing, known);
  for (const { call } of special) yield* wrongInCall(`${stream}.each.${as}.special`, call, known);
  yield* wrongInListing(`${stream}.each.${as}.below`, below?.listing, { ...known, [as]: null });
}

/** An item is identified, and its deletion is recognised, before any further request about it. */
function* wrongInItem(stream: Stream, levels: Record<string, Names>): Generator<string> {
  const { name, page, lookups = [], details = [], files } = stream;
  const alone = { ...levels, item: null };
  yield* wrongInTexts(`${name}.page.ref`, page.ref, alone);
  if (page.goneWhen) yield* wrongInPath(`${name}.page.goneWhen`, page.goneWhen.at, alone);
  if (stream.references) {
    yield* wrongInPath(`${name}.references`, stream.references.at, alone);
    yield* wrongInCall(`${name}.references`, stream.references.call, { ref: null });
  }
  const known: Record<string, Names> = { ...alone, ...named(lookups.map(({ as }) => as)) };
  for (const { as, when, listing, below } of details) {
    const place = `${name}.details.${as}`;
    if (when) yield* wrongInPath(`${place}.when`, when.at, known);
    yield* wrongInListing(`${place}.listing`, listing, known);
    if (below) yield* wrongInListing(`${place}.below`, below.listing, { ...known, [below.as]: null });
    known[as] = null;
  }
  yield* wrongInFiles(name, files, known);
  yield* wrongInPage(stream, { ...known, files: null });
}

function* wrongInFiles(stream: string, files: Stream['files'], known: Names): Generator<string> {
  if (!files) return;
  const { when, listing, id, name, type, size, content } = files;
  if (when) yield* wrongInPath(`${stream}.files.when`, when.at, known);
  yield* wrongInListing(`${stream}.files.listing`, listing, known);
  yield* wrongInTexts(`${stream}.files`, { id, name, type, size, content }, { ...known, file: null });
}

function* wrongInPage({ name, page }: Stream, known: Names): Generator<string> {
  const { title, body, frontmatter, author, occurredAt, event, parts = [] } = page;
  yield* wrongInTexts(`${name}.page`, { title, frontmatter, author, occurredAt }, known);
  yield* wrongInTexts(`${name}.page`, { body }, event ? { ...known, when: null } : known);
  if (event) {
    const { wholeDaysWhen, ...texts } = event;
    yield* wrongInTexts(`${name}.page.event`, texts, known);
    yield* wrongInPath(`${name}.page.event.wholeDaysWhen`, wholeDaysWhen.at, known);
  }
  for (const { of, as, only, said, text } of parts) {
    const place = `${name}.page.parts.${as}`;
    const one = { ...known, [as]: null };
    yield* wrongInPath(`${place}.of`, of, known);
    if (only) yield* wrongInPath(`${place}.only`, only.at, one);
    yield* wrongInTexts(`${place}.said`, said, one);
    yield* wrongInTexts(`${place}.text`, text, said === undefined ? one : { ...one, said: null });
  }
}
