// Bytes of attachments as lines of an archive: each part of a file is a line.
import { changeArchiveLines, selectArchiveLines } from '#modules/brains';
import { sql } from 'kysely';
import { partBytes } from './attachment-contents.ts';
import type { Db } from './tables.ts';

export const contentKind = 'attachment_content';

export type ContentPart = { sha256: string; part: number; base64: string };

/**
 * The next parts of files of a brain's pages, in the order of their hashes. Parts count from 1. An empty file has one
 * part.
 */
export async function listContentParts(
  db: Db,
  brainId: string,
  { after, limit }: { after: { sha256: string; part: number }; limit: number },
): Promise<ContentPart[]> {
  const { rows } = await sql<ContentPart>`
    with own as (
      select distinct content.id, encode(content.sha256, 'hex') as sha256, content.size
        from attachments join pages on pages.id = page_id
        join attachment_contents as content
          on content.workspace_id = attachments.workspace_id and content.sha256 = attachments.sha256
       where brain_id = ${brainId} and deleted_at is null and encode(content.sha256, 'hex') >= ${after.sha256}
       order by 2 limit ${limit + 1}
    ), next as (
      select id, sha256, part from own cross join generate_series(1, greatest(1, ceil(size / ${partBytes}::numeric)::integer)) as part
       where (sha256, part) > (${after.sha256}, ${after.part}::integer) order by 2, 3 limit ${limit}
    )
    select sha256, part, translate(coalesce(encode(bytes, 'base64'), ''), E'\n', '') as base64
      from next left join attachment_parts on content_id = next.id and position = part - 1 order by 1, 2`.execute(db);
  return rows;
}

/**
 * The hashes of files that an import received, with their sizes. `isWhole`: every part arrived exactly once with the
 * right length.
 */
export async function listReceivedContents(db: Db, importId: string) {
  const { rows } = await sql<{ sha256: string; size: number; isWhole: boolean }>`
    with parts as (
      select data ->> 'sha256' as sha256, (data ->> 'part')::integer as part, octet_length(decode(data ->> 'base64', 'base64')) as octets
        from ${selectArchiveLines(importId, contentKind)} as content
    ), numbered as (select *, max(part) over (partition by sha256) as last from parts)
    select sha256, sum(octets)::float8 as size,
           count(*) = max(last) and count(distinct part) = max(last)
             and bool_and(case when part = last then octets <= ${partBytes} and (octets > 0 or last = 1) else octets = ${partBytes} end)
             as "isWhole"
      from numbered group by 1 order by 1`.execute(db);
  return rows;
}

/** The hash of the bytes that an import received for one file. Only one file is in the database's memory at a time. */
export async function hashOfReceived(db: Db, importId: string, sha256: string): Promise<string> {
  const { rows } = await sql<{ hash: string }>`
    select encode(sha256(string_agg(decode(data ->> 'base64', 'base64'), '' order by (data ->> 'part')::integer)), 'hex') as hash
      from ${selectArchiveLines(importId, contentKind)} as content where data ->> 'sha256' = ${sha256}`.execute(db);
  return rows[0]?.hash ?? '';
}

/** Stores the parts that an import received for one file as a whole content. */
export async function storeReceivedContent(
  db: Db,
  importId: string,
  content: { id: string; workspaceId: string; sha256: string; size: number; at: Date },
): Promise<void> {
  const { id, workspaceId, sha256, size, at } = content;
  await db
    .insertInto('attachment_contents')
    .values({ id, workspace_id: workspaceId, sha256: Buffer.from(sha256, 'hex'), size, kept_at: at })
    .execute();
  await sql`
    insert into attachment_parts (content_id, workspace_id, position, bytes)
    select ${id}::uuid, ${workspaceId}::uuid, (data ->> 'part')::integer - 1, decode(data ->> 'base64', 'base64')
      from ${selectArchiveLines(importId, contentKind)} as content where data ->> 'sha256' = ${sha256}`.execute(db);
}

/**
 * A hash alone would give access to the bytes of somebody else's file. So an imported attachment whose bytes are not in
 * the archive is marked as not stored before it reaches its table.
 */
export async function refuseWithoutContent(db: Db, importId: string, reason: string): Promise<void> {
  const kind = 'attachment';
  await changeArchiveLines(
    db,
    { importId, kind },
    {
      data: sql`line.data || jsonb_build_object('state', 'failed', 'reason', ${reason}::text, 'sha256', null, 'text', null, 'text_state', 'none')`,
      where: sql`line.data ->> 'state' = 'stored' and not exists (
        select from ${selectArchiveLines(importId, contentKind)} as content where '\\x' || (content.data ->> 'sha256') = line.data ->> 'sha256')`,
    },
  );
}

/** Makes search read pages again whose attachments were imported with words. */
export async function noteImportedWords(db: Db, importId: string, shift: number): Promise<void> {
  await sql`
    update pages set has_attached_text = true
     where id in (
       select page_id from attachments where text is not null and id in (
         select shift_id((data ->> 'id')::uuid, ${-shift}::bigint) from ${selectArchiveLines(importId, 'attachment')} as line))`.execute(
    db,
  );
}
