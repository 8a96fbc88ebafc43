import type { ColumnType, Kysely } from 'kysely';
import type { SignatureSettings, Scheme } from '../signatures/schemes.ts';
import type { ProviderName } from '../signatures/providers.ts';
import type { Outcome } from '../outcomes.ts';

export type ConnectorState = 'draft' | 'active' | 'paused' | 'deleted';

export type ConnectorRow = {
  id: string;
  workspace_id: string;
  person_id: string;
  name: string;
  /** The last part of the address; null: it is sealed, or only its hash is stored. */
  slug: string | null;
  /** Set for an address that is the secret; null: for other addresses, and for those from before it was stored. */
  sealed_slug: string | null;
  slug_hash: string;
  state: ConnectorState;
  brain_id: string;
  head_version_id: string;
  active_version_id: string | null;
  /** Whether a generated secret waits to be shown to a person. */
  has_unread_secret: boolean;
  /** The key of the caller that created its address, or last set its secret; null: a person did. */
  made_by_key: string | null;
  /** Why it was paused automatically. */
  state_reason: string | null;
  alerted_at: Date | null;
  created_at: Date;
  updated_at: Date;
  lease_token: number;
  lease_until: Date | null;
};

export const runtimes = ['v8', 'python'] as const;

export type VersionRow = {
  id: string;
  workspace_id: string;
  connector_id: string;
  number: number;
  scheme: Scheme;
  provider: ProviderName | null;
  signature_settings: SignatureSettings;
  /** Sealed. */
  secret: string | null;
  secret_variable: string | null;
  /** The variable with the secret's value; null: there is none, or it waits for a variable with that name. */
  secret_variable_id: string | null;
  runtime: (typeof runtimes)[number];
  code: string | null;
  brain_id: string;
  allowed_brain_ids: string[];
  created_by_label: string;
  created_at: Date;
};

export type FixtureRow = {
  id: string;
  workspace_id: string;
  connector_id: string;
  name: string;
  raw_body: string;
  headers: Record<string, string>;
  query: Record<string, string>;
  expected_outcome: 'ingest' | 'drop';
  last_test_passed_at: Date | null;
  created_at: Date;
};

export type PassRow = {
  fixture_id: string;
  version_id: string;
  workspace_id: string;
  passed_at: Date;
};

/** A document of an event, and its outcome. */
export type DocumentRow = {
  id: string | null;
  brain_id: string | null;
  action: string;
  source_id: string | null;
  type: string | null;
  tags: string[];
  error: string | null;
};

export type EventRow = {
  id: string;
  workspace_id: string;
  connector_id: string;
  received_at: Date;
  outcome: Outcome;
  detail: string | null;
  event_type: string | null;
  delivery_id: string | null;
  /** Identifies a delivery: the id, with the hash of the body unless the id is signed. */
  delivery_key: string | null;
  duplicate_of: string | null;
  content_type: string | null;
  headers: Record<string, string>;
  query: Record<string, string>;
  body: Buffer | null;
  body_bytes: number;
  shape_hash: string | null;
  version_id: string | null;
  translator_output: unknown;
  documents: DocumentRow[] | null;
  attempts: number;
  replays: number;
  finished_at: Date | null;
  duration_ms: number | null;
  counted: number;
  counted_minute: Date | null;
};

/** The columns that the database fills in a new row. */
type FilledIn =
  | 'duplicate_of'
  | 'version_id'
  | 'translator_output'
  | 'documents'
  | 'attempts'
  | 'replays'
  | 'duration_ms'
  | 'counted'
  | 'counted_minute';
type EventTable = Omit<EventRow, FilledIn> & { [Column in FilledIn]: FilledColumn<EventRow[Column]> };
type FilledColumn<Value> = ColumnType<Value, Value | undefined, Value>;

type SignatureRow = {
  workspace_id: string;
  connector_id: string;
  signed_hash: string;
  event_id: string;
  received_at: Date;
};

export type Tables = {
  webhook_connectors: ConnectorRow;
  webhook_versions: VersionRow;
  webhook_fixtures: FixtureRow;
  webhook_passes: PassRow;
  webhook_events: EventTable;
  webhook_signatures: SignatureRow;
};
export type Db = Kysely<Tables>;
