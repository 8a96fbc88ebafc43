// Files of pages that move with their brain: their metadata, and their bytes, cut into parts.
import { AppError } from '#kernel/errors';
import { archived, type ImportContext, type Portable } from '#kernel/portable';
import { definePortableTable } from '#modules/brains';
import type { Ground } from '#platform';
import { now } from '#platform/clock';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  contentKind,
  hashOfReceived,
  listContentParts,
  listReceivedContents,
  noteImportedWords,
  refuseWithoutContent,
  storeReceivedContent,
} from './store/archived-contents.ts';
import { countAttachedBytes, hasContent } from './store/attachment-contents.ts';
import { attachmentStates, textStates, type Db } from './store/tables.ts';

const { id, time, count, text } = archived;
const scopes = { scope: 'pages:read', writeScope: 'pages:write' } as const;
/** Files of up to 25 MB. */
const mostParts = 25;
const partsAtOnce = 2;
const leftAtSource = 'The file was not in the archive. Sync the page again from its source.';

const attachments = definePortableTable({
  kind: 'attachment',
  table: 'attachments',
  ...scopes,
  key: { id: 'uuid' },
  ids: ['id', 'page_id'],
  partOf: { column: 'page_id', table: 'pages' },
  // The handle with which a source fetches the file is left out: an archive must not choose what a linked account
  // fetches.
  fixed: { handle: `'{}'::jsonb` },
  row: z.strictObject({
    id,
    page_id: id,
    source_ref: text(2_000),
    position: count,
    filename: text(2_000),
    mime_type: text(2_000),
    size: z.number().int().min(0),
    message_id: text(2_000),
    state: z.enum(attachmentStates),
    reason: text(10_000).nullable(),
    sha256: z
      .string()
      .regex(/^\\x[0-9a-f]{64}$/)
      .nullable(),
    text: text(1_000_000).nullable(),
    text_state: z.enum(textStates),
    created_at: time,
    updated_at: time,
  }),
});

const attachmentsOfPages: Portable = {
  ...attachments,
  async exportBatch(db, from, page) {
    const batch = await attachments.exportBatch(db, from, page);
    return { ...batch, rows: batch.rows.map(markAwaitedAsFailed) };
  },
  async store(db, to) {
    await refuseWithoutContent(db, to.importId, leftAtSource);
    const stored = await attachments.store(db, to);
    await noteImportedWords(db, to.importId, to.shift);
    return stored;
  },
};

/** No other server can fetch a file that is still to be fetched here; the next sync from its source does. */
function markAwaitedAsFailed(row: Record<string, unknown>): Record<string, unknown> {
  return row['state'] === 'awaited' ? { ...row, state: 'failed', reason: leftAtSource } : row;
}

const buildPortableContents = (room: number): Portable => ({
  kind: contentKind,
  ...scopes,
  row: z.strictObject({
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    part: z.number().int().min(1).max(mostParts),
    base64: z.base64().max(1_400_000),
  }),
  cursor: /^([0-9a-f]{64}) (\d{1,9})$/,
  async exportBatch(db, { brainId }, { after, limit }) {
    const [sha256 = '', part = '0'] = after?.split(' ') ?? [];
    const most = Math.min(limit, partsAtOnce);
    const rows = await listContentParts(db, brainId, { after: { sha256, part: Number(part) }, limit: most });
    const last = rows.at(-1);
    return { rows, next: last ? `${last.sha256} ${last.part}` : null, hasMore: rows.length === most };
  },
  store: (db, to) => storeContents(db, room, to),
  isIn: async () => false, // the attachments say which bytes belong to them
});

async function storeContents(db: Db, room: number, { importId, workspaceId }: ImportContext): Promise<number> {
  const received = await listReceivedContents(db, importId);
  let used = await countAttachedBytes(db);
  for (const { sha256, size, isWhole } of received) {
    if (!isWhole || (await hashOfReceived(db, importId, sha256)) !== sha256)
      throw new AppError(
        'invalid_input',
        `The file ${sha256.slice(0, 12)}… is incomplete or was altered. Nothing was imported.`,
      );
    const at = now();
    if (await hasContent(db, Buffer.from(sha256, 'hex'), at)) continue;
    used += size;
    if (used > room)
      throw new AppError(
        'plan_limit',
        'The workspace has no room for the files in this archive. Raise THALAMUS_ATTACHMENTS_MB, or remove pages.',
      );
    await storeReceivedContent(db, importId, { id: randomUUID(), workspaceId, sha256, size, at });
  }
  return received.length;
}

/** Bytes come first: attachments refer to them. */
export function listPortableAttachments({ config }: Pick<Ground, 'config'>): readonly Portable[] {
  return [buildPortableContents(config.attachmentRoom), attachmentsOfPages];
}
