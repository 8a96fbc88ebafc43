// Reads the items of a list as pages, a batch at a time.
import type { NewPage } from '#kernel/page';
import { holds, valueAt, type Values } from '#providers/http';
import { type Changes, readItems, type Since } from '#providers/reading';
import type { Descriptor, Detail, Stream } from './descriptor.ts';
import { detailOf, isWithheld } from './details.ts';
import { listAll, type Ask } from './list.ts';
import { withReferences } from './references.ts';
import { withWords } from './message-words.ts';
import type { Unit } from './units.ts';
import { attachmentOf, pageOf, refOf } from './write-page.ts';

/** The number of items that are stored at a time; fewer if each needs further requests. */
const batchSize = 100;
const detailedBatchSize = 25;

/** Items to store together, and those that are left out beside them. */
type Items = { items: readonly unknown[]; leftOut: readonly unknown[]; isLast: boolean };

/** The wanted items in batches; an empty one when there are none, so that the position is stored. */
export function batchesOf({ leaveOut = [], details, messages }: Stream, items: readonly unknown[]): Items[] {
  const isLeftOut = (item: unknown) => leaveOut.some((condition) => holds(condition, withWords(messages, item)));
  const wanted = items.filter((item) => !isLeftOut(item));
  const leftOut = leaveOut.length ? items.filter(isLeftOut) : [];
  const size = details ? detailedBatchSize : batchSize;
  const count = Math.max(1, Math.ceil(wanted.length / size));
  return Array.from({ length: count }, (_, n) => ({
    items: wanted.slice(n * size, (n + 1) * size),
    leftOut: n === 0 ? leftOut : [],
    isLast: n === count - 1,
  }));
}

/** `refs`: the references of all that is there, what could not be read among them. */
type Batch = Pick<Changes, 'pages' | 'errors' | 'leftOut'> & { refs: string[] };

/** The items of a batch as pages. */
export async function readBatch(
  {
    descriptor,
    ask,
    account,
    since: { mayLeave },
  }: { descriptor: Descriptor; ask: Ask; account: string; since: Since },
  { stream, values, names }: Unit,
  { items, leftOut: without }: Pick<Items, 'items' | 'leftOut'>,
): Promise<Batch> {
  const known = items.length ? { ...values, ...(await names()) } : values;
  const read = (item: unknown) => readItem(descriptor, ask, stream, { ...known, item }, account);
  const { results, errors } = await readItems(items, (item) => nameOf(stream, item), read, mayLeave);
  const nameRef = (ref: string) => `${descriptor.name}:${account}:${ref}`;
  const refs = presentIn(stream, items, values).map(nameRef);
  const unwanted = stream.leftOut ? presentIn(stream, without, values) : [];
  const leftOut = [
    ...results.flatMap(({ page, whys }) => whys.map((why) => ({ ref: page.sourceRef, why }))),
    ...unwanted.map((ref) => ({ ref: nameRef(ref), why: stream.leftOut ?? '' })),
  ];
  return { pages: results.map(({ page }) => page), errors, refs, ...(leftOut.length && { leftOut }) };
}

/** The references of the items that are not deleted. */
function presentIn({ page }: Stream, items: readonly unknown[], values: Values): string[] {
  const { goneWhen } = page;
  const there = items.map((item) => ({ ...values, item })).filter((each) => !goneWhen || !holds(goneWhen, each));
  return there.map((each) => refOf(page, each));
}

async function readItem(
  { name, api }: Descriptor,
  ask: Ask,
  stream: Stream,
  values: Values,
  account: string,
): Promise<{ page: NewPage; whys: string[] }> {
  const { messages, details = [], references } = stream;
  const { values: named, isWhole } = await withReferences(ask, references, values);
  const whys: string[] = isWhole || !references ? [] : [references.leftOut];
  const names = (values['users'] ?? {}) as Values; // a lookup answers names by id
  let known: Values = { ...named, item: withWords(messages, named['item'], names) };
  for (const detail of details) {
    const { when, as, most, withheld } = detail;
    if (when && !holds(when, known)) continue;
    const list = await detailOrNone(ask, detail, known);
    if (list === null) whys.push(withheld ?? as);
    if (list === null) continue;
    if (most !== undefined && list.length >= most) whys.push(`More than ${most} ${as}: only the first are read.`);
    known = { ...known, [as]: list.map((each) => withWords(messages, each, names)) };
  }
  const list = await filesOf(ask, stream.files, known);
  const page = await pageOf(stream.page, { ...known, files: list }, { source: `${name}:${account}`, account });
  const attachments = list.map((file) => attachmentOf(stream, { ...known, file }, api));
  return { page: { ...page, ...(!page.isGone && { attachments }) }, whys };
}

/** Null where an account may not read a detail, and its item is read without it. */
async function detailOrNone(ask: Ask, detail: Detail, known: Values): Promise<unknown[] | null> {
  try {
    return await detailOf(ask, detail, known);
  } catch (error) {
    if (detail.withheld !== undefined && isWithheld(error)) return null;
    throw error;
  }
}

/** The files that come with an item, as the provider lists them. */
async function filesOf(ask: Ask, files: Stream['files'], known: Values): Promise<unknown[]> {
  if (!files || (files.when && !holds(files.when, known))) return [];
  const listed = await listAll(ask, files.listing, known);
  return listed.filter((file) => !files.only || holds(files.only, file));
}

function nameOf({ name }: Stream, item: unknown): string {
  return `${name} ${String(valueAt(item, 'id') ?? '')}`.trim();
}
