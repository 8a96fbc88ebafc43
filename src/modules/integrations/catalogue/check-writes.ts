// What is wrong with how something is written: placeholders of what is not known where they stand, and names that no field has.
import { named, namesAt, wrongInCall, wrongInListing, wrongInPath, wrongInTexts, type Names } from './placeholders.ts';
import type { Before, Comparison, Field, Lookup, Sought, Write } from './write.ts';

type Known = Record<string, Names>;

const draft = named(['id', 'chosen_id', 'nonce', 'since', 'since_seconds', 'since_snowflake']);
/** All that is known of a draft when nobody noted what was made for it. */
const draftAlone = { draft: named(['id']) };
const time = named(['day', 'moment', 'utc', 'is_day']);
const fileTold = named(['name', 'type', 'size']);

/** Everything that is wrong with a write. */
export function* wrongInWrite(write: Write): Generator<string> {
  yield* wrongInFields(write);
  const given = givenOf(write);
  const { sending, telling, made } = yield* wrongInSteps(write, given);
  yield* wrongInKnown(write, telling);
  const { target, title, notes, call, result, files, abandon } = write;
  yield* wrongInTexts('', { target, title, notes: notes?.map(({ text }) => text) }, { input: given['input'] ?? null });
  yield* wrongInCall('call', call, sending);
  yield* wrongInTexts('result', result, { ...sending, item: null });
  yield* wrongInCall('files.small', files?.small.call, { ...sending, file: { ...fileTold, base64: null } });
  yield* wrongInCall('files.large', files?.large.call, { ...sending, file: fileTold });
  yield* wrongInCall('abandon', abandon, { ...made, ...draftAlone });
  for (const lookup of write.lookups ?? []) yield* wrongInLookup(write, lookup, { sending, telling });
  yield* wrongInUndo(write, { ...sending, result: named(Object.keys(result)) });
}

function* wrongInFields(write: Write): Generator<string> {
  const { fields, oneOf = [], notBoth = [], span, editable, recipients = [], known } = write;
  const lists = { oneOf, notBoth, span: Object.values(span ?? {}), editable, recipients };
  for (const [place, names] of Object.entries({ ...lists, 'known.was': Object.keys(known?.was ?? {}) }))
    for (const name of names) yield* wrongInPath(place, name, named(Object.keys(fields)));
}

/** What was given, in all the forms that calls are filled with. */
function givenOf({ fields, files }: Write): Known {
  const of = (isOf: (field: Field) => boolean, known: Names = null) =>
    Object.fromEntries(Object.entries(fields).flatMap(([name, field]) => (isOf(field) ? [[name, known]] : [])));
  const hasId = (field: Field) => field.kind === 'line' && field.id !== undefined;
  return {
    input: { ...named(Object.keys(fields)), ...(files && { attachments: null }) },
    text: of(({ kind }) => kind === 'values'),
    sent: of(({ kind }) => kind === 'choice'),
    parts: of(({ kind }) => kind === 'text'),
    html: of(({ kind }) => kind === 'text'),
    ids: of(hasId),
    names: of(hasId),
    time: of(({ kind }) => kind === 'time', time),
  };
}

/**
 * What is known once all steps are taken: when it is sent; when it is told before anybody decides, with no draft there and nothing
 * made; and of what was made alone.
 */
function* wrongInSteps(
  { before = [], abandon }: Write,
  given: Known,
): Generator<string, { sending: Known; telling: Known; made: Known }> {
  const sending: Known = { ...given, draft };
  const telling: Known = { ...given };
  const made: Known = {};
  for (const step of before) {
    yield* wrongInStep('before', step, step.makes ? sending : telling);
    if (step.again) {
      const known = abandon ? { ...made, ...draftAlone } : sending;
      yield* wrongInListing(`before.${step.as}.again`, step.again.listing, known);
      yield* wrongInComparisons(`before.${step.as}.again`, step.again.where, known);
    }
    for (const all of step.makes ? [sending, made] : [sending, telling, made]) keep(all, step);
  }
  return { sending, telling, made };
}

/** What is known by one name may be found in several ways. */
function keep(known: Known, { as, keep: kept, each, all }: Before): void {
  const one = named(Object.keys(kept));
  known[as] = { ...known[as], ...(each && all ? { [each.as]: namesAt(each.of, known), all: one } : one) };
}

function* wrongInStep(place: string, step: Before, known: Known): Generator<string> {
  const { as, each, missing, several } = step;
  const own = `${place}.${as}`;
  if (each) yield* wrongInPath(`${own}.each`, each.of, known);
  const inside = each ? { ...known, [each.as]: namesAt(each.of, known) } : known;
  if (step.when) yield* wrongInPath(`${own}.when`, step.when.at, known);
  yield* wrongInSought(own, step, inside);
  yield* wrongInTexts(own, { missing, several }, inside);
}

function* wrongInSought(place: string, { one, listing, where }: Sought, known: Known): Generator<string> {
  yield* wrongInCall(`${place}.one`, one?.call, known);
  yield* wrongInListing(`${place}.listing`, listing, known);
  yield* wrongInComparisons(`${place}.where`, where, known);
}

function* wrongInComparisons(place: string, where: readonly Comparison[] = [], known: Known): Generator<string> {
  for (const { is, contains, has, lacks, entries } of where) {
    yield* wrongInTexts(place, { is, contains, has, lacks }, known);
    if (entries) yield* wrongInPath(`${place}.entries`, entries.of, known);
  }
}

function* wrongInKnown({ known: told = {} }: Write, found: Known): Generator<string> {
  const known = { ...found };
  for (const step of told.also ?? []) {
    yield* wrongInStep('known.also', step, known);
    keep(known, step);
  }
  const { names = [], about, shown = [], people = [], hiddenWhen = [], was } = told;
  const texts = names.map((name) => (typeof name === 'string' ? name : name.text));
  yield* wrongInTexts('known', { names: texts, about, shown: shown.map(({ text }) => text), was }, known);
  const conditions = [...names.flatMap((name) => (typeof name === 'string' ? [] : [name.when])), ...hiddenWhen];
  conditions.push(...[...shown, ...people].flatMap(({ when }) => when ?? []));
  for (const { at } of conditions) yield* wrongInPath('known.when', at, known);
  for (const { at, or = at } of people) for (const path of [at, or]) yield* wrongInPath('known.people', path, known);
}

/** The state that is to be is compared before anybody decides, too. */
function* wrongInLookup(
  { handle }: Write,
  lookup: Lookup,
  { sending, telling }: { sending: Known; telling: Known },
): Generator<string> {
  const { when, which, like, version } = lookup;
  const known = handle === 'state' && lookup.one ? telling : sending;
  if (when) yield* wrongInPath('lookups.when', when.at, known);
  yield* wrongInSought('lookups', lookup, known);
  yield* wrongInComparisons('lookups.which', which, sending);
  yield* wrongInComparisons('lookups.like', like, sending);
  yield* wrongInTexts('lookups.version', version?.was, sending);
}

function* wrongInUndo({ undo }: Write, known: Known): Generator<string> {
  for (const { each, when, where = [], call } of undo?.steps ?? []) {
    if (each) yield* wrongInPath('undo.each', each.of, known);
    const inside = each ? { ...known, [each.as]: namesAt(each.of, known) } : known;
    if (when) yield* wrongInPath('undo.when', when.at, inside);
    for (const { at } of where) for (const path of [at].flat()) yield* wrongInPath('undo.where', path, inside);
    yield* wrongInComparisons('undo.where', where, inside);
    yield* wrongInCall('undo.call', call, inside);
  }
}
