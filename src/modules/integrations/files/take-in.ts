// Fetches the files of stored pages one after another, and stores each file in parts as it arrives.
import { AppError } from '#kernel/errors';
import { countAttachedBytes, listAwaitedAttachments, keepAttachment, refuseAttachment } from '#modules/pages';
import type { NewPage } from '#kernel/page';
import type { AwaitedAttachment, Keeper } from '#modules/pages';
import PQueue from 'p-queue';
import type { ReadBytes } from '#providers/http';
import { classifyFileError, type ItemError, type Reader, type Source } from '#providers/reading';
import { extractFileText } from './file-text.ts';

/** Gmail's own limit for a mail with all its files. */
const largestFile = 25_000_000;
const mostAttempts = 3;
/** After this many failures in a row, fetching stops until the next reading, because the provider is failing. */
const mostFailures = 5;
/**
 * How many files all readers of this process fetch at once: each takes a few megabytes of memory, whatever its size.
 */
const fetching = { large: new PQueue({ concurrency: 4 }), small: new PQueue({ concurrency: 8 }) };
/** Smaller files do not wait behind the large files of other readers. */
const smallFile = 1_000_000;

/** Where files are stored, and how many bytes one file may have. */
export type Shelf = Keeper & {
  brainId: string;
  /** How many bytes of files a workspace may store. */
  room: number;
};

type FileOrigin = { source: Source; reader: Reader };

/**
 * Fetches the files of newly stored pages. A file that cannot be fetched is reported in the result and on its
 * attachment.
 */
export function takeInPageFiles(
  shelf: Shelf,
  from: FileOrigin,
  { pages, pageIds }: { pages: readonly NewPage[]; pageIds: readonly string[] },
): Promise<ItemError[]> {
  const given = new Map<string, Uint8Array>();
  for (const { sourceRef, attachments = [] } of pages)
    for (const { ref, content } of attachments) if (content) given.set(`${sourceRef} ${ref}`, content);
  return takeInAwaitedFiles(shelf, from, { pageIds }, given);
}

/**
 * Fetches files that an earlier reading of the account did not fetch, because it was interrupted or the provider
 * failed.
 */
export function takeInLeftFiles(shelf: Shelf, from: FileOrigin): Promise<ItemError[]> {
  return takeInAwaitedFiles(shelf, from, { source: `${from.source.name}:${from.reader.account}` }, new Map());
}

async function takeInAwaitedFiles(
  shelf: Shelf,
  from: FileOrigin,
  of: Parameters<typeof listAwaitedAttachments>[1]['of'],
  given: ReadonlyMap<string, Uint8Array>,
): Promise<ItemError[]> {
  const errors: ItemError[] = [];
  const sofar = { failures: 0, used: null as number | null };
  for (let after = ''; ;) {
    const found = await shelf.transact((db) => listAwaitedAttachments(db, { brainId: shelf.brainId, of, after }));
    for (const file of found) {
      const error = await takeOne(shelf, from, file, given.get(`${file.page_ref} ${file.source_ref}`), sofar);
      if (error) errors.push({ item: `file ${file.filename}`, message: error });
      if (sofar.failures >= mostFailures) return errors;
    }
    const last = found.at(-1);
    if (!last) return errors;
    after = last.id;
  }
}

type SoFar = { failures: number; used: number | null };

/**
 * Returns null when the file is stored, else the reason. Throws errors that concern the whole account, such as revoked
 * access.
 */
async function takeOne(
  shelf: Shelf,
  { source, reader }: FileOrigin,
  file: AwaitedAttachment,
  given: Uint8Array | undefined,
  sofar: SoFar,
): Promise<string | null> {
  const size = Number(file.size);
  sofar.used ??= await shelf.transact(countAttachedBytes);
  if (size > largestFile) return refuse(shelf, file, 'too_big', tooBig);
  if (shelf.room === 0) return refuse(shelf, file, 'failed', 'This server stores no files.').then(() => null);
  if (sofar.used + size > shelf.room) return refuse(shelf, file, 'failed', noRoom);
  const room = shelf.room - sofar.used;
  const keep: ReadBytes<number | null> = (bytes) =>
    keepAttachment(shelf, file.id, {
      filename: file.filename,
      mimeType: file.mime_type,
      bytes: limitBytes(bytes, room),
      readText: (beginning) => extractFileText({ bytes: beginning, mimeType: file.mime_type, filename: file.filename }),
    });
  const take = async () => {
    if (!given && !source.file) return refuse(shelf, file, 'failed', 'Thalamus reads no files from this source.');
    const kept = given ? keep(streamInOnePiece(given)) : source.file?.(reader, file.handle, largestFile, keep);
    sofar.used = (sofar.used ?? 0) + ((await kept) ?? 0);
    sofar.failures = 0;
    return null;
  };
  try {
    return await fetching[size <= smallFile ? 'small' : 'large'].add(take);
  } catch (error) {
    return refuseFailedFile(shelf, file, error, sofar);
  }
}

async function* streamInOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Counts the bytes as they pass, because the reported size may be wrong. */
async function* limitBytes(bytes: AsyncIterable<Uint8Array>, room: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > largestFile) throw new AppError('payload_too_large', tooBig, { errorCategory: 'too_large' });
    if (length > room) throw new AppError('plan_limit', noRoom, { errorCategory: 'conflict' });
    yield piece;
  }
}

async function refuseFailedFile(shelf: Shelf, file: AwaitedAttachment, thrown: unknown, sofar: SoFar): Promise<string> {
  const { error, isOfProvider, isTooLarge } = classifyFileError(thrown);
  if (isTooLarge) return refuse(shelf, file, 'too_big', tooBig);
  if (isOfProvider) sofar.failures += 1;
  const isGivenUp = !isOfProvider || file.attempts + 1 >= mostAttempts;
  return refuse(shelf, file, isGivenUp ? 'failed' : 'awaited', error.message);
}

async function refuse(
  shelf: Shelf,
  { id }: AwaitedAttachment,
  state: 'awaited' | 'too_big' | 'failed',
  reason: string,
): Promise<string> {
  await shelf.transact((db, at) => refuseAttachment(db, id, { state, reason, at }));
  return reason;
}

const tooBig = `The file is larger than ${largestFile / 1_000_000} MB and was not stored. Open it at its source.`;
const noRoom =
  'The workspace has no room for more files. Raise THALAMUS_ATTACHMENTS_MB or remove pages, and read it again.';
