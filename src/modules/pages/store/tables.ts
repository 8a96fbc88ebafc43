import type { Kysely } from 'kysely';
import type { Attachment, Json } from '../new-page.ts';

export type PageRow = {
  id: string;
  workspace_id: string;
  brain_id: string;
  slug: string;
  type: string;
  title: string;
  body: string;
  frontmatter: Record<string, Json>;
  attachments: Attachment[];
  author: string | null;
  source: string | null;
  source_ref: string | null;
  content_hash: string;
  version: number;
  occurred_at: Date;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
};
type VersionRow = Pick<PageRow, 'workspace_id' | 'version' | 'title' | 'body' | 'frontmatter' | 'created_at'> & {
  page_id: string;
};
export type Tables = { pages: PageRow; page_versions: VersionRow; brains: { id: string; name: string } };
export type Db = Kysely<Tables>;
