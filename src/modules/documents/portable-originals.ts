// Originals of documents in an archive: each is cut into parts, which are lines.
import { createHash } from 'node:crypto';
import { AppError } from '#kernel/errors';
import type { Portable } from '#kernel/portable';
import type { Ground } from '#platform';
import type { Blobs } from '#platform/blobs';
import { now } from '#platform/clock';
import { sql } from 'kysely';
import { z } from 'zod';
import { keptBytes, noteBlob, type Db } from './store.ts';
import { blobKey, noRoom } from './store-document.ts';

const kind = 'document_original';
const partBytes = 1_000_000;
const mostBytes = 200_000_000;
/** So many bytes of originals are in one answer of an export. */
const fullAt = 2_000_000;

const row = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  size: z.number().int().min(0).max(mostBytes),
  part: z.number().int().min(1),
  base64: z.base64().max(1_400_000),
});
type Part = z.infer<typeof row>;

/** Declares originals as something that moves with the documents of a brain. */
export function createPortableOriginals({ blobs, config }: Pick<Ground, 'blobs' | 'config'>): Portable {
  return {
    kind,
    scope: 'memory:read',
    writeScope: 'memory:write',
    row,
    cursor: /^([0-9a-f]{64}) (\d{1,9})$/,
    exportBatch: (db, { brainId }, { after, limit }) => listParts(db, brainId, after, limit),
    complete: (item, workspaceId) => withBytes(blobs, workspaceId, item),
    store: (db, { importId, workspaceId }) =>
      storeOriginals(db, { blobs, room: config.documentRoom, importId, workspaceId, at: now() }),
    isIn: async () => false, // where documents are is said by the documents themselves
  };
}

/** The next parts of originals, in the order of their hashes, without their bytes: these come when no transaction is open. */
async function listParts(db: Db, brainId: string, after: string | null, limit: number) {
  const [hash = '', number = '0'] = after?.split(' ') ?? [];
  const { rows } = await sql<{ sha256: string; size: number }>`
    select distinct encode(sha256, 'hex') as sha256, size from documents
     where brain_id = ${brainId} and deleted_at is null and encode(sha256, 'hex') >= ${hash} order by 1 limit ${limit + 1}`.execute(
    db,
  );
  const all = rows.flatMap(({ sha256, size }) => partsOf(sha256, Number(size)));
  const open = all.filter(({ sha256, part }) => sha256 > hash || part > Number(number));
  let count = 0;
  for (let bytes = 0; count < Math.min(limit, open.length) && (count === 0 || bytes < fullAt); count += 1)
    bytes += partBytes;
  const parts = open.slice(0, count);
  const last = parts.at(-1);
  return {
    rows: parts,
    next: last ? `${last.sha256} ${last.part}` : null,
    hasMore: open.length > count,
    characters: parts.reduce(
      (sum, { size, part }) => sum + Math.min(partBytes, size - (part - 1) * partBytes) * 1.4,
      0,
    ),
  };
}

function partsOf(sha256: string, size: number): Omit<Part, 'base64'>[] {
  return Array.from({ length: Math.max(1, Math.ceil(size / partBytes)) }, (_, at) => ({ sha256, size, part: at + 1 }));
}

/** A part with its bytes; null when the store has none. */
async function withBytes(
  blobs: Blobs,
  workspaceId: string,
  item: Record<string, unknown>,
): Promise<Record<string, unknown> | null> {
  const { sha256, part } = item as Part; // as `listParts` made it
  const start = (part - 1) * partBytes;
  const stream = await blobs.open(blobKey(workspaceId, Buffer.from(sha256, 'hex')), start);
  if (!stream) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= partBytes) break; // which closes the stream
  }
  return { ...item, base64: Buffer.concat(chunks).subarray(0, partBytes).toString('base64') };
}

type Storing = { blobs: Blobs; room: number; importId: string; workspaceId: string; at: Date };

async function storeOriginals(db: Db, { blobs, room, importId, workspaceId, at }: Storing): Promise<number> {
  const { rows: hashes } = await sql<{ sha256: string; size: number }>`
    select data ->> 'sha256' as sha256, max((data ->> 'size')::int) as size from archive_lines
     where import_id = ${importId} and kind = ${kind} group by 1 order by 1`.execute(db);
  for (const { sha256, size } of hashes) {
    const { rows: parts } = await sql<{ bytes: Buffer }>`
      select decode(data ->> 'base64', 'base64') as bytes from archive_lines
       where import_id = ${importId} and kind = ${kind} and data ->> 'sha256' = ${sha256}
       order by (data ->> 'part')::int, line`.execute(db);
    const bytes = Buffer.concat(parts.map((part) => part.bytes));
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new AppError(
        'invalid_input',
        `The original ${sha256.slice(0, 12)}… is incomplete or was altered. Nothing was imported.`,
      );
    if ((await keptBytes(db)) + size > room) throw noRoom();
    const key = Buffer.from(sha256, 'hex');
    await noteBlob(db, { workspaceId, sha256: key, size: bytes.length, at });
    await blobs.put(blobKey(workspaceId, key), { bytes });
  }
  return hashes.length;
}
