-- Tokens that a token endpoint gave to the code of a run: the code holds their handles, which end with the run.
create table run_secrets (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  run_id uuid not null,
  handle text not null,
  value text not null,
  -- Where the value may be sent.
  hosts text[] not null,
  -- How another is obtained, for a draft that is sent after the run: it names handles, and holds no value.
  obtained jsonb not null,
  created_at timestamptz not null,
  unique (run_id, handle)
);
create index on run_secrets (created_at);
call protect('run_secrets');
call forget_with('run_secrets', 'value', 'id', 'once');
