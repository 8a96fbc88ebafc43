import type { Kysely } from 'kysely';

export type DestinationState = 'active' | 'paused' | 'gone' | 'deleted';
export const formats = ['translated_docs', 'raw_payload'] as const;
/** The source of a route's events. All except the first are events of the product itself. */
export const sourceKinds = ['webhook_connector', 'brain', 'drafts', 'runs'] as const;
export type SourceKind = (typeof sourceKinds)[number];
export type Format = (typeof formats)[number];

export type DestinationRow = {
  id: string;
  workspace_id: string;
  person_id: string;
  name: string;
  kind: 'webhook' | 'feed';
  /** The URL that events are sent to, or where the feed is read. */
  url: string;
  headers: Record<string, string>;
  /** With the version when it was given; none from before versions were counted. */
  variables: { handle: string; variable_id: string; version?: number | undefined }[];
  /** Sealed, like `previous_secret`; null for a feed. */
  secret: string | null;
  previous_secret: string | null;
  previous_until: Date | null;
  state: DestinationState;
  /** Why it was paused automatically. */
  state_reason: string | null;
  /** The keys of the callers that named its address, and created its secret or token; null: a person did. */
  made_by_key: string | null;
  secret_made_by_key: string | null;
  failing_since: Date | null;
  half_told: boolean;
  /** The hash of a feed's token. */
  token_hash: string | null;
  /** For a webhook; null for a feed. */
  max_per_minute: number | null;
  last_position: number;
  created_at: Date;
  updated_at: Date;
};

export type RouteRow = {
  id: string;
  workspace_id: string;
  person_id: string;
  source_kind: SourceKind;
  /** The webhook connector, if the source is one. */
  source_id: string | null;
  /** The brain, if the source is one. */
  brain_id: string | null;
  destination_id: string;
  format: Format;
  type_filter: string | null;
  tag_filter: string[];
  state: 'waiting' | 'active' | 'detached';
  created_at: Date;
};

export type DeliveryRow = {
  id: string;
  workspace_id: string;
  route_id: string;
  destination_id: string;
  event_id: string;
  status: 'waiting' | 'delivered' | 'failed';
  content_type: string;
  payload: Buffer | null;
  payload_bytes: number;
  document_count: number;
  attempts: number;
  next_attempt_at: Date;
  http_status: number | null;
  error: string | null;
  duration_ms: number | null;
  created_at: Date;
  delivered_at: Date | null;
  /** The position in a feed. */
  position: number | null;
  lease_token: number;
  lease_until: Date | null;
};

export type AttemptRow = {
  id: string;
  workspace_id: string;
  delivery_id: string;
  number: number;
  at: Date;
  http_status: number | null;
  error: string | null;
  duration_ms: number;
  delivered: boolean;
};

export type Tables = {
  output_destinations: DestinationRow;
  output_routes: RouteRow;
  output_deliveries: DeliveryRow;
  output_attempts: AttemptRow;
};
export type Db = Kysely<Tables>;
