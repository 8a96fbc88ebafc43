import type { Kysely } from 'kysely';
import type { Contradiction } from '../rules/contradiction.ts';
import type { LinkOrigin, LinkType, MemoryType, Salience, Trigger } from '../memory-fields.ts';

export type MemoryRow = {
  id: string;
  workspace_id: string;
  brain_id: string;
  content: string;
  type: MemoryType;
  salience: Salience;
  topics: string[];
  triggers: Trigger[];
  session_id: string | null;
  thread_id: string | null;
  author: string | null;
  role: 'user' | 'assistant' | 'other' | null;
  occurred_at: Date;
  source: string | null;
  /** The sender's own id of an ingested item, or of its mail thread. */
  source_id: string | null;
  /** The sender's other facts about it; null: none. */
  metadata: Record<string, unknown> | null;
  /** Null: a connector of several people stored it. */
  stored_by: string | null;
  stored_by_label: string | null;
  created_at: Date;
  archived_at: Date | null;
  archive_reason: string | null;
  superseded_by: string | null;
};

export type LinkRow = {
  workspace_id: string;
  source_memory_id: string;
  target_memory_id: string;
  relationship_type: LinkType;
  created_at: Date;
  origin: LinkOrigin;
  reason: string | null;
  /** Set for a detected contradiction. */
  kind: Contradiction['kind'] | null;
};

export type SessionRow = {
  id: string;
  workspace_id: string;
  brain_id: string;
  person_id: string;
  opened_by: string;
  started_at: Date;
  summary: string | null;
  logged_at: Date | null;
  is_shared: boolean;
};

export type ChangeRow = {
  id: string;
  workspace_id: string;
  brain_id: string;
  kind: 'archive' | 'merge';
  reason: string | null;
  made_by: string;
  made_by_label: string;
  made_at: Date;
  undone_at: Date | null;
  undone_by_label: string | null;
};

export type DuplicateRow = {
  memory_id: string;
  duplicate_of: string;
  workspace_id: string;
  brain_id: string;
  kind: 'exact' | 'near';
  similarity: number;
  found_at: Date;
  dismissed_at: Date | null;
  dismissed_by_label: string | null;
};

type VersionRow = {
  memory_id: string;
  version: number;
  workspace_id: string;
  content: string;
  type: MemoryType;
  salience: Salience;
  topics: string[];
  triggers: Trigger[];
  replaced_at: Date;
  replaced_by_label: string;
  replaced_by: string | null;
  reason: string | null;
};

type RecallRow = {
  memory_id: string;
  workspace_id: string;
  recall_count: number;
  last_recalled_at: Date;
  strength: number;
};

type TriggerWordRow = {
  memory_id: string;
  position: number;
  alternative: number;
  word: string;
  workspace_id: string;
  brain_id: string;
  stems: string[];
  needed: number;
};

export type ConstellationRow = {
  id: string;
  workspace_id: string;
  brain_id: string;
  label: string;
  topics: string[];
  memory_count: number;
  created_at: Date;
};

export type Tables = {
  memories: MemoryRow;
  memory_links: LinkRow;
  memory_sessions: SessionRow;
  memory_changes: ChangeRow;
  memory_change_steps: {
    change_id: string;
    position: number;
    workspace_id: string;
    memory_id: string;
    before: unknown;
    after: unknown;
  };
  memory_duplicates: DuplicateRow;
  dismissed_contradictions: {
    id: string;
    workspace_id: string;
    brain_id: string;
    memory_id: string | null;
    other_id: string | null;
    kind: Contradiction['kind'] | null;
    dismissed_at: Date;
    dismissed_by_label: string;
  };
  memory_versions: VersionRow;
  memory_recalls: RecallRow;
  memory_recall_days: { brain_id: string; day: Date; workspace_id: string; recalls: number };
  session_recalls: { session_id: string; memory_id: string; workspace_id: string; recalled_at: Date };
  memory_trigger_words: TriggerWordRow;
  memory_constellations: ConstellationRow;
  memory_constellation_members: { memory_id: string; constellation_id: string; workspace_id: string };
  memory_gatherings: { brain_id: string; workspace_id: string; gathered_at: Date; memories: number };
};

/** The workspace-bound database, narrowed to the tables of this module. */
export type Db = Kysely<Tables>;
