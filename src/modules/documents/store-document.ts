// Stores a file: reads and scans it while no transaction is open, stores the original, and then stores all rows at
// once.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { AfterCommitContext } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { Ground } from '#platform';
import type { Blobs } from '#platform/blobs';
import type { DocumentAnswer, Extraction, ScannedPassage } from '#platform/extraction';
import * as store from './store.ts';
import { replaceDocuments, type DocumentName } from './versions-store.ts';

/** Where the documents of a server are stored. */
export function getDocumentStorage({ blobs, extraction, config }: Ground): StoreDeps {
  return { blobs, extraction, room: config.documentRoom };
}

export type StoreDeps = { blobs: Blobs; extraction: Extraction; room: number };

/** A received file, and where it belongs. */
export type IncomingDocument = {
  brainId: string;
  language: string;
  title: string | null;
  filename: string | null;
  mimeType: string;
  source: { path: string } | { bytes: Uint8Array };
  weight?: number;
  /** Whether it replaces the document with its name. */
  replaces?: boolean;
  cancelled?: AbortSignal;
};

/** `replacedId`: the document that it replaced. */
export type StoredDocument = {
  document: store.ShownDocument;
  isNew: boolean;
  labels: string[];
  replacedId: string | null;
};

/** Key of the blob with these bytes. */
export function buildBlobKey(workspaceId: string, sha256: Buffer): string {
  return `${workspaceId}/${sha256.toString('hex')}`;
}

/** A query for the keys of all blobs, as `key`: for a backup, which reads the rows of every workspace. */
export const blobKeysQuery = `select workspace_id || '/' || encode(sha256, 'hex') as key from blobs order by 1`;

/** Stores a document, or returns an equal existing one. Throws `invalid_input`, `payload_too_large` or `conflict`. */
export async function storeDocument(
  ctx: AfterCommitContext,
  keeping: StoreDeps,
  file: IncomingDocument,
): Promise<StoredDocument> {
  const { source, filename, mimeType, language } = file;
  const { sha256, size } = await computeFingerprint(source);
  const named = { filename: filename ?? 'text.txt', mimeType };
  return keeping.extraction.document(
    { ...named, ...source, turnOf: ctx.caller.personId },
    language,
    async (about, passages) => {
      refuseCancelled(file);
      const title = (file.title ?? about.title ?? buildTitleFromFilename(filename) ?? 'Untitled').slice(0, 300);
      await ctx.transact(async ({ db, now }) => {
        if ((await store.countKeptBytes(db)) + size > keeping.room) throw createNoRoomError();
        await store.noteBlob(db, { workspaceId: ctx.caller.workspaceId, sha256, size, at: now });
      });
      await keeping.blobs.put(buildBlobKey(ctx.caller.workspaceId, sha256), source);
      return write(ctx, { ...file, title, givenTitle: file.title, sha256, size }, about, passages);
    },
  );
}

type WholeDocument = IncomingDocument & { title: string; givenTitle: string | null; sha256: Buffer; size: number };

async function write(
  ctx: AfterCommitContext,
  file: WholeDocument,
  about: DocumentAnswer,
  passages: AsyncIterable<ScannedPassage[]>,
): Promise<StoredDocument> {
  const { brainId, title, sha256 } = file;
  const { workspaceId, personId, label, scopes } = ctx.caller;
  // A replaced document is no longer found, so replacing another's document requires the right to delete.
  const creator = scopes.has('documents:delete') ? null : { personId, label };
  return ctx.transact(async ({ db, now }) => {
    const same = await store.findSame(db, { brainId, sha256, title });
    if (same)
      return {
        document: same,
        isNew: false,
        labels: about.constellations.map(({ label: each }) => each),
        replacedId: null,
      };
    const id = ctx.newId();
    const document = {
      ...toDocumentColumns(file, about),
      id,
      workspace_id: workspaceId,
      created_by: label,
      person_id: personId,
      created_at: now,
    };
    await store.insertDocument(db, document);
    const constellations = about.constellations.map((each, position) => ({
      id: ctx.newId(),
      workspace_id: workspaceId,
      document_id: id,
      position,
      label: each.label,
      topics: each.topics,
      line_ranges: each.ranges,
      passages: each.passages,
    }));
    await store.insertConstellations(db, constellations);
    let stored = 0;
    for await (const batch of passages) {
      const rows = batch.map(({ group, ...passage }) => ({ ...passage, constellation_id: constellations[group]!.id }));
      await store.insertPassages(db, workspaceId, id, rows);
      stored += batch.length;
      ctx.progress(stored, about.passages, 'Storing passages');
    }
    const replacedId = file.replaces ? await replaceDocuments(db, getDocumentName(file), { id, creator }) : null;
    refuseCancelled(file); // this rolls back
    return {
      document: { ...document, reference_count: 0, replaced_by: null },
      isNew: true,
      replacedId,
      labels: constellations.map(({ label: each }) => each),
    };
  });
}

function toDocumentColumns(file: WholeDocument, about: DocumentAnswer) {
  return {
    brain_id: file.brainId,
    title: file.title,
    filename: file.filename,
    mime_type: file.mimeType,
    format: about.format,
    sha256: file.sha256,
    size: file.size,
    characters: about.characters,
    lines: about.lines,
    passages: about.passages,
    pages: about.pages,
    weight: file.weight ?? 1,
  };
}

/** A title inside the file may change with it; a title that the caller gave is part of the identity. */
function getDocumentName({ brainId, filename, title, givenTitle }: WholeDocument): DocumentName {
  return { brainId, filename, title: filename === null ? title : givenTitle };
}

/** A file whose sender disconnected is not stored: they cancelled, and would not learn of it. */
function refuseCancelled({ cancelled }: IncomingDocument): void {
  if (cancelled?.aborted) throw new AppError('unavailable', 'The upload was cancelled. Nothing was stored.');
}

async function computeFingerprint(source: IncomingDocument['source']): Promise<{ sha256: Buffer; size: number }> {
  const hash = createHash('sha256');
  if ('bytes' in source) return { sha256: hash.update(source.bytes).digest(), size: source.bytes.length };
  await pipeline(createReadStream(source.path), hash);
  return { sha256: hash.digest(), size: (await stat(source.path)).size };
}

/** `brand-guidelines_v2.pdf` is titled `brand guidelines v2`. */
function buildTitleFromFilename(filename: string | null): string | null {
  const name = filename
    ?.replace(/\.\w{1,5}$/, '')
    .replaceAll(/[-_]+/g, ' ')
    .trim();
  return name || null;
}

/** The error when a workspace's space for originals is used up. */
export function createNoRoomError(): AppError {
  return new AppError(
    'plan_limit',
    'The workspace has no room for this file. Delete documents, or raise THALAMUS_DOCUMENTS_MB.',
  );
}
