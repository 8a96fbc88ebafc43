-- Webhooks: connectors that others POST to, versions of their translator and settings, fixtures, and every event.

create table webhook_connectors (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  -- Whose it is. Their roles on brains are the most that it may write.
  person_id uuid not null references people on delete cascade,
  name text not null,
  -- The end of the address. Where no signature is checked it is the secret, and only its hash is kept.
  slug text,
  slug_hash text not null unique,
  state text not null check (state in ('draft', 'active', 'paused', 'deleted')),
  -- Where it writes by its newest version.
  brain_id uuid not null references brains on delete cascade,
  -- The newest version, and the one that live events run.
  head_version_id uuid not null,
  active_version_id uuid,
  alerted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  lease_token integer not null default 0,
  lease_until timestamptz
);
create index on webhook_connectors (workspace_id, created_at desc);
create index on webhook_connectors (brain_id);
call protect('webhook_connectors');
call show_to_presenter('webhook_connectors', 'slug_hash');
create policy listed_by_system on webhook_connectors for select using (current_setting('thalamus.system', true) = 'on');

-- A version never changes, so that a fixture passes for exactly one code and one set of settings.
create table webhook_versions (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  connector_id uuid not null references webhook_connectors on delete cascade,
  number integer not null,
  scheme text not null,
  provider text,
  signature_settings jsonb not null,
  secret text,
  secret_variable text,
  runtime text not null,
  code text,
  brain_id uuid not null,
  allowed_brain_ids uuid[] not null,
  -- Of code and settings.
  content_hash text not null,
  created_by_label text not null,
  created_at timestamptz not null,
  unique (connector_id, number)
);
call protect('webhook_versions');
revoke update on webhook_versions from thalamus_app;
call forget_with('webhook_versions', 'secret', 'id', 'once');

create table webhook_fixtures (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  connector_id uuid not null references webhook_connectors on delete cascade,
  name text not null,
  raw_body text not null,
  headers jsonb not null,
  query jsonb not null,
  expected_outcome text not null check (expected_outcome in ('ingest', 'drop')),
  last_test_passed_at timestamptz,
  created_at timestamptz not null,
  unique (connector_id, name)
);
call protect('webhook_fixtures');

create table webhook_passes (
  fixture_id uuid not null references webhook_fixtures on delete cascade,
  version_id uuid not null references webhook_versions on delete cascade,
  workspace_id uuid not null references workspaces,
  content_hash text not null,
  passed_at timestamptz not null,
  primary key (fixture_id, version_id)
);
call protect('webhook_passes');

create table webhook_events (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  connector_id uuid not null references webhook_connectors on delete cascade,
  received_at timestamptz not null,
  -- `received` until it was translated.
  outcome text not null,
  -- Why, in words.
  detail text,
  event_type text,
  -- The sender's own id of it, by which one that comes again is known.
  delivery_id text,
  duplicate_of uuid,
  content_type text,
  headers jsonb not null,
  query jsonb not null,
  body bytea,
  body_bytes integer not null,
  -- Of the names and types in the body, not of its values.
  shape_hash text,
  version_id uuid,
  translator_output jsonb,
  documents jsonb,
  attempts integer not null default 0,
  replays integer not null default 0,
  finished_at timestamptz,
  duration_ms integer,
  -- One row counts all of a minute that came after the first hundreds.
  counted integer not null default 1,
  counted_minute timestamptz
);
create index on webhook_events (connector_id, received_at desc, id desc);
create index on webhook_events (connector_id, received_at, id) where outcome = 'received';
create index on webhook_events (received_at) where body is not null;
create index webhook_events_to_do on webhook_events (workspace_id, connector_id) where outcome = 'received';
create index webhook_samples on webhook_events (connector_id, shape_hash, received_at desc) where shape_hash is not null;
create unique index one_event_of_a_delivery on webhook_events (connector_id, delivery_id)
  where delivery_id is not null and outcome not in ('signature_failed', 'refused', 'duplicate');
create unique index one_count_of_a_minute on webhook_events (connector_id, outcome, counted_minute) where counted_minute is not null;
call protect('webhook_events');
create policy listed_by_system on webhook_events for select using (current_setting('thalamus.system', true) = 'on');
