// Originals of documents in an archive: each is cut into parts, which are lines.
import { createHash } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AfterCommitContext } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { Portable } from '#kernel/portable';
import { selectArchiveLines } from '#modules/brains';
import type { Ground } from '#platform';
import type { Blobs } from '#platform/blobs';
import { now } from '#platform/clock';
import { sql } from 'kysely';
import { z } from 'zod';
import { countKeptBytes, noteBlob, type Db } from './store.ts';
import { buildBlobKey, createNoRoomError } from './store-document.ts';

export const originalKind = 'document_original';
const partBytes = 1_000_000;
/** The largest original of an archive. */
export const mostBytes = 200_000_000;
/** How many bytes of originals one answer of an export contains. */
const fullAt = 2_000_000;

const row = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  size: z.number().int().min(0).max(mostBytes),
  part: z.number().int().min(1),
  base64: z.base64().max(1_400_000),
});
type OriginalPart = z.infer<typeof row>;

/** Declares originals as items that move with the documents of a brain. */
export function createPortableOriginals({ blobs, config }: Pick<Ground, 'blobs' | 'config'>): Portable {
  return {
    kind: originalKind,
    scope: 'memory:read',
    writeScope: 'memory:write',
    row,
    cursor: /^([0-9a-f]{64}) (\d{1,9})$/,
    exportBatch: (db, { brainId }, { after, limit }) => listParts(db, brainId, after, limit),
    complete: (item, workspaceId) => withBytes(blobs, workspaceId, item),
    putOutside: (ctx, importId) => putOriginals(ctx, { blobs, room: config.documentRoom }, importId),
    store: (db, { importId }) => keepOriginals(db, importId),
    isIn: async () => false, // the documents themselves say where they are
  };
}

/**
 * The next parts of originals, in the order of their hashes, without their bytes, which are added while no transaction
 * is open. Sizes are those of the stored bytes; an imported document may declare another size.
 */
async function listParts(db: Db, brainId: string, after: string | null, limit: number) {
  const [hash = '', number = '0'] = after?.split(' ') ?? [];
  const { rows } = await sql<{ sha256: string; size: number }>`
    select distinct encode(sha256, 'hex') as sha256, blobs.size
      from documents join blobs using (workspace_id, sha256)
     where brain_id = ${brainId} and deleted_at is null and replaced_by is null and encode(sha256, 'hex') >= ${hash} order by 1 limit ${limit + 1}`.execute(
    db,
  );
  const most = Math.min(limit, Math.ceil(fullAt / partBytes));
  const open: Omit<OriginalPart, 'base64'>[] = [];
  for (const { sha256, size: bytes } of rows) {
    const size = Number(bytes);
    const last = Math.max(1, Math.ceil(size / partBytes));
    for (let part = sha256 === hash ? Number(number) + 1 : 1; part <= last && open.length <= most; part += 1)
      open.push({ sha256, size, part });
  }
  const parts = open.slice(0, most);
  const end = parts.at(-1);
  return {
    rows: parts,
    next: end ? `${end.sha256} ${end.part}` : null,
    hasMore: open.length > most,
    characters: parts.reduce(
      (sum, { size, part }) => sum + Math.min(partBytes, size - (part - 1) * partBytes) * 1.4,
      0,
    ),
  };
}

/** A part with its bytes; null when the store has none. */
async function withBytes(
  blobs: Blobs,
  workspaceId: string,
  item: Record<string, unknown>,
): Promise<Record<string, unknown> | null> {
  const { sha256, part } = item as OriginalPart; // written by `listParts`
  const start = (part - 1) * partBytes;
  const stream = await blobs.open(buildBlobKey(workspaceId, Buffer.from(sha256, 'hex')), start);
  if (!stream) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= partBytes) break; // this closes the stream
  }
  return { ...item, base64: Buffer.concat(chunks).subarray(0, partBytes).toString('base64') };
}

/**
 * Stores the originals of an import one after another. Each is recorded first, so that one without a document is
 * removed an hour later. Only one part is in memory at a time.
 */
async function putOriginals(
  ctx: AfterCommitContext,
  { blobs, room }: { blobs: Blobs; room: number },
  importId: string,
): Promise<void> {
  const originals = await ctx.transact(({ db }) => listReceived(db, importId));
  const folder = await mkdtemp(join(tmpdir(), 'thalamus-originals-'));
  const path = join(folder, 'original');
  try {
    for (const { sha256, size, lines } of originals) {
      if ((await writeParts(ctx, { importId, lines, path })) !== sha256) throw createAlteredError(sha256);
      const key = Buffer.from(sha256, 'hex');
      await ctx.transact(async ({ db, now }) => {
        if ((await countKeptBytes(db)) + size > room) throw createNoRoomError();
        await noteBlob(db, { workspaceId: ctx.caller.workspaceId, sha256: key, size, at: now });
      });
      await blobs.put(buildBlobKey(ctx.caller.workspaceId, key), { path });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

type ReceivedOriginal = { sha256: string; size: number; lines: number[] };

/**
 * The originals that an import received, with the lines of their parts in order. Throws unless each has the size that
 * all its parts declare.
 */
async function listReceived(db: Db, importId: string): Promise<ReceivedOriginal[]> {
  const { rows } = await sql<ReceivedOriginal & { isWhole: boolean }>`
    select sha256, max(size)::float8 as size, array_agg(line order by part, line) as lines,
           min(size) = max(size) and sum(length(base64) / 4 * 3 - (length(base64) - length(rtrim(base64, '=')))) = max(size) as "isWhole"
      from ${selectArchiveLines(importId, originalKind)} as received
      cross join lateral jsonb_to_record(data) as item(sha256 text, size bigint, part bigint, base64 text)
     group by 1 order by 1`.execute(db);
  const broken = rows.find(({ isWhole }) => !isWhole);
  if (broken) throw createAlteredError(broken.sha256);
  return rows;
}

/** Writes the parts of an original into a file. Returns the hash of all of them. */
async function writeParts(
  ctx: AfterCommitContext,
  { importId, lines, path }: { importId: string; lines: readonly number[]; path: string },
): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path, 'w', 0o600);
  try {
    for (const line of lines) {
      const { rows } = await ctx.transact(({ db }) =>
        sql<{ base64: string }>`
          select data ->> 'base64' as base64 from ${selectArchiveLines(importId, originalKind)} as received where line = ${line}`.execute(
          db,
        ),
      );
      const bytes = Buffer.from(rows[0]?.base64 ?? '', 'base64');
      hash.update(bytes);
      await file.writeFile(bytes);
    }
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

/** Records the originals of an import that were stored. Returns how many. */
async function keepOriginals(db: Db, importId: string): Promise<number> {
  const { rows } = await sql<{ is_there: boolean }>`
    with received as (
      select distinct decode(data ->> 'sha256', 'hex') as sha256 from ${selectArchiveLines(importId, originalKind)} as line
    ), kept as (update blobs set kept_at = ${now()} from received where blobs.sha256 = received.sha256 returning blobs.sha256)
    select sha256 in (select sha256 from kept) as is_there from received`.execute(db);
  if (rows.every(({ is_there }) => is_there)) return rows.length;
  throw new AppError(
    'conflict',
    'The import took so long that originals were removed again. Call finish_import again.',
  );
}

function createAlteredError(sha256: string): AppError {
  return new AppError(
    'invalid_input',
    `The original ${sha256.slice(0, 12)}… is incomplete or was altered. Nothing was imported.`,
  );
}
