import type { Lease } from '#platform/lease';
import type { Generated, Kysely } from 'kysely';
import type { Column } from '../columns.ts';

export type BoardRow = {
  id: string;
  workspace_id: string;
  brain_id: string;
  name: string;
  description: string;
  skills: unknown;
  dashboard: unknown;
  links: unknown;
  created_by: string;
  created_at: Date;
  updated_at: Date;
};
type Fields = Record<string, unknown>;
export type BoardLinkRow = {
  id: string;
  workspace_id: string;
  board_id: string;
  kind: string;
  ref: Fields;
  display_name: string;
  /** The provider through whose account it is read. Null: it is read without an account. */
  integration_provider: string | null;
  /** The account. Null: none is needed, or the link was imported without it. */
  connection_id: string | null;
  /** Whose account it is. Null: the workspace's, or none. */
  account_person_id: string | null;
  /** In whose name it is read. */
  person_id: string;
  created_by: string;
  created_at: Date;
  /** When reading ended, and why. */
  ended_at: Date | null;
  end_reason: string | null;
};
export type DatasetRecipeRow = Lease & {
  id: string;
  workspace_id: string;
  link_id: string;
  board_id: string;
  dataset: string;
  adapter_op: string;
  params: Fields;
  /** Null: it is refreshed by hand. */
  refresh_cron: string | null;
  dedupe_key_field: string | null;
  dedupe_target_field: string | null;
  status: 'waiting' | 'failing' | 'stopped';
  /** Null: it is due at no time. */
  next_at: Date | null;
  /** When its rows were read, and how many there are. */
  refreshed_at: Date | null;
  row_count: number;
  /** Why the last refresh failed, when, and how often that was in a row. */
  failure: string | null;
  failed_at: Date | null;
  failures: number;
  created_at: Date;
};
export type BoardFormRow = {
  id: string;
  workspace_id: string;
  board_id: string;
  dataset: string;
  title: string;
  intro: string;
  /** The columns that a sender fills, in their order. */
  columns: string[];
  free_text: boolean;
  token_hash: string;
  /** In whose name rows are written, and at whose cost texts are sorted. */
  person_id: string;
  created_by: string;
  created_at: Date;
  closed_at: Date | null;
  entry_count: number;
  last_entry_at: Date | null;
  /** The day (UTC) on which texts were last sorted, and how many. */
  sorted_on: Date | null;
  sorted_count: number;
};
export type Tables = {
  boards: BoardRow;
  board_links: BoardLinkRow;
  dataset_recipes: DatasetRecipeRow;
  board_forms: BoardFormRow;
  board_form_entries: { form_id: string; nonce: string; workspace_id: string; row_id: string; created_at: Date };
  board_datasets: { board_id: string; workspace_id: string; name: string; columns: Column[]; created_at: Date };
  board_rows: {
    id: string;
    workspace_id: string;
    board_id: string;
    dataset: string;
    fields: Fields;
    created_by: string;
    created_at: Date;
    /** The id that its writer chose. Null: `id` is shown. */
    row_key: string | null;
    version: Generated<number>;
    /** Null: it never changed. */
    updated_at: Generated<Date | null>;
    deleted_at: Generated<Date | null>;
  };
};
export type Db = Kysely<Tables>;

export type DatasetLocation = { boardId: string; dataset: string };
