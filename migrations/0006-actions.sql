-- Effects on the outside: drafted, decided, sent at most once, and on record.

create table drafts (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains,
  -- Whose account sends, and who may decide.
  person_id uuid not null references people,
  connection_id uuid not null references connections,
  account text not null,
  source text not null,
  action text not null,
  payload jsonb not null,
  payload_hash text not null,
  preview jsonb not null,
  batch_id uuid,
  notify_targets text[] not null,
  drafted_by uuid not null,
  drafted_by_label text not null,
  status text not null check (status in
    ('pending', 'confirming', 'confirmed', 'failed', 'ambiguous', 'discarded', 'expired', 'stale')),
  -- What the provider keeps and can be asked about, stored before anything is sent.
  handle jsonb,
  send_started_at timestamptz,
  -- Who sends or reconciles now; fenced like a refresh.
  lease_token bigint not null default 0,
  lease_until timestamptz,
  -- When the provider is to be asked next; a job comes then.
  ask_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  decided_by uuid,
  decided_by_label text,
  settled_at timestamptz,
  result jsonb,
  error jsonb
);
create index on drafts (workspace_id, person_id, status, created_at desc);
create index on drafts (workspace_id, batch_id) where batch_id is not null;
create unique index one_equal_pending_draft on drafts (workspace_id, drafted_by, payload_hash) where status = 'pending';
call protect('drafts');

create table draft_ledger (
  draft_id uuid not null references drafts,
  seq integer not null,
  workspace_id uuid not null references workspaces,
  at timestamptz not null,
  step text not null,
  detail jsonb not null,
  previous_hash text not null,
  hash text not null,
  primary key (draft_id, seq)
);
call protect('draft_ledger');
revoke update, delete on draft_ledger from thalamus_app;
