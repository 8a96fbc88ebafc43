import type { Kysely } from 'kysely';
import type { Json } from '#kernel/page';

export type PageRow = {
  id: string;
  workspace_id: string;
  brain_id: string;
  slug: string;
  type: string;
  title: string;
  body: string;
  frontmatter: Record<string, Json>;
  has_attached_text: boolean;
  author: string | null;
  source: string | null;
  source_ref: string | null;
  content_hash: string;
  version: number;
  /** An all-day event's days, as a `daterange`; null for everything else. */
  days: string | null;
  /** Of all-day events, `occurred_at` and this are midnights of UTC. A trigger sets both from the frontmatter. */
  ends_at: Date | null;
  occurred_at: Date;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
};
type VersionRow = Pick<PageRow, 'workspace_id' | 'version' | 'title' | 'body' | 'frontmatter' | 'created_at'> & {
  page_id: string;
};

/** `awaited`: it must still be fetched from its source. `too_big` and `failed` have a reason. */
export const attachmentStates = ['awaited', 'stored', 'too_big', 'failed'] as const;
/** `none`: the file has no readable words. `failed`: `reason` says why its words cannot be read. */
export const textStates = ['none', 'awaited', 'read', 'failed'] as const;
export type TextState = (typeof textStates)[number];
export type AttachmentRow = {
  id: string;
  workspace_id: string;
  page_id: string;
  source_ref: string;
  position: number;
  filename: string;
  mime_type: string;
  size: number;
  message_id: string;
  handle: Record<string, Json>;
  state: (typeof attachmentStates)[number];
  reason: string | null;
  attempts: number;
  sha256: Buffer | null;
  text: string | null;
  text_state: TextState;
  created_at: Date;
  updated_at: Date;
};
/** `sha256` is null until all bytes have arrived. */
type ContentRow = { id: string; workspace_id: string; sha256: Buffer | null; size: number; kept_at: Date };
type PartRow = { content_id: string; workspace_id: string; position: number; bytes: Buffer };
/** The holder of a file other than a page. */
export type RetainedFileRow = {
  holder_id: string;
  position: number;
  workspace_id: string;
  filename: string;
  mime_type: string;
  size: number;
  sha256: Buffer;
};
export type Tables = {
  pages: PageRow;
  page_versions: VersionRow;
  attachments: AttachmentRow;
  attachment_contents: ContentRow;
  attachment_parts: PartRow;
  held_files: RetainedFileRow;
  brain_directory: { id: string; name: string };
};
export type Db = Kysely<Tables>;
