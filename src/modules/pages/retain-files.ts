// Files that belong to something other than a page: given bytes, or files of a page.
import { memoizePerServer } from '#kernel/module';
import type { Ground } from '#platform';
import type { Context } from '#kernel/context';
import type { Db, Transactions } from '#kernel/database';
import { createNotFoundError } from '#kernel/errors';
import { createHash } from 'node:crypto';
import { createOpener, type OpenFile } from './attachment-files.ts';
import * as contents from './store/attachment-contents.ts';
import { findRetainedContent, listStoredFiles, type RetainedFile } from './store/retained-files.ts';
import { findPageBySlug } from './store/read.ts';

/** Stores bytes for their holder, once for the workspace. Returns their hash. */
export async function keepBytes(
  db: Db,
  { id, workspaceId, at }: { id: string; workspaceId: string; at: Date },
  bytes: Buffer,
): Promise<Buffer> {
  const sha256 = createHash('sha256').update(bytes).digest();
  if (await contents.hasContent(db, sha256, at)) return sha256;
  await contents.beginContent(db, { id, workspaceId, at });
  for (let position = 0; position * contents.partBytes < bytes.length; position += 1) {
    const from = position * contents.partBytes;
    await contents.addPart(db, id, { position, bytes: bytes.subarray(from, from + contents.partBytes), at });
  }
  await contents.completeContent(db, id, sha256);
  return sha256;
}

/** The files of a page that the caller may read, by its slug. Stored ones can be retained from now on. */
export async function listPageFiles(
  ctx: Context,
  slug: string,
): Promise<{ type: string; stored: RetainedFile[]; all: number }> {
  const { roles, homeBrainId } = await ctx.brains();
  const page = await findPageBySlug(ctx.db, slug, { brainIds: [...roles.keys()], preferred: homeBrainId });
  if (!page) throw createNotFoundError('page');
  const files = await listStoredFiles(ctx.db, page.id);
  for (const { sha256 } of files.stored) await contents.hasContent(ctx.db, sha256, ctx.now);
  return { type: page.type, ...files };
}

/** Opens a retained file, by its position among those of its holder; null when it is no longer retained. */
export type OpenRetainedFile = (workspaceId: string, holderId: string, position: number) => Promise<OpenFile | null>;

export function createOpenRetainedFile(transactions: Transactions): OpenRetainedFile {
  const open = createOpener(transactions);
  return (workspaceId, holderId, position) =>
    open(workspaceId, `${holderId}/${position}`, (db) => findRetainedContent(db, holderId, position));
}

/** The server's held files. */
export const getOpenRetainedFile = memoizePerServer(({ transactions }: Ground) => createOpenRetainedFile(transactions));
