-- What was done, by whom; and what happened, for consoles that watch.

create table audit_log (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  at timestamptz not null,
  caller_kind text not null,
  caller_id uuid not null,
  person_id uuid not null,
  operation text not null,
  request_id text not null,
  subject jsonb not null
);
create index on audit_log (workspace_id, at desc);
call protect('audit_log');
revoke update, delete on audit_log from thalamus_app;

create table events (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  -- Readers take only events older than every running transaction, so that none is passed over.
  xact xid8 not null default pg_current_xact_id(),
  at timestamptz not null,
  name text not null,
  payload jsonb not null,
  brain_id uuid,
  person_id uuid
);
create index on events (workspace_id, xact, id);
create index on events (at);
call protect('events');
