-- What was done can be taken back where the provider can, and the ledger of a workspace is sealed.

alter table drafts
  drop constraint drafts_status_check,
  add constraint drafts_status_check check (status in
    ('pending', 'confirming', 'confirmed', 'failed', 'ambiguous', 'discarded', 'expired', 'stale', 'undone'));

-- Rows of the ledger are sealed in order of arrival; a row says by which seal, and that alone may be set once.
alter table draft_ledger no force row level security;
alter table draft_ledger add column seal integer;
alter table draft_ledger force row level security;
create index unsealed on draft_ledger (workspace_id) where seal is null;
create index on draft_ledger (workspace_id, seal, draft_id, seq);
grant update (seal) on draft_ledger to thalamus_app;
create policy listed_by_system on draft_ledger for select using (current_setting('thalamus.system', true) = 'on');

create function seal_once() returns trigger language plpgsql as $$
begin
  if old.seal is not null or new.seal is null or new.seal < 1 then
    raise exception 'a row of the ledger is sealed once';
  end if;
  return new;
end $$;
create trigger seal_once before update on draft_ledger for each row execute function seal_once();

create table ledger_seals (
  workspace_id uuid not null references workspaces,
  seal integer not null check (seal > 0),
  at timestamptz not null,
  -- How many rows it seals, and the hash over theirs.
  rows integer not null,
  root text not null,
  previous_mac text not null,
  -- Over all of it, with the workspace's key: who can write to the database alone cannot make one.
  mac text not null,
  primary key (workspace_id, seal)
);
call protect('ledger_seals');
revoke update, delete on ledger_seals from thalamus_app;

create table ledger_keys (
  workspace_id uuid primary key references workspaces,
  sealed text not null
);
call protect('ledger_keys');
revoke update, delete on ledger_keys from thalamus_app;

-- What was asked within a call of MCP: a hash of the question's own secret and of what was called with. One reply uses it up.
alter table drafts no force row level security;
alter table drafts add column question_hash text;
alter table drafts force row level security;
create index on drafts (workspace_id, question_hash) where question_hash is not null;

-- Hashes of what a draft would overwrite, as that was when it was drafted: whoever says yes says it to that.
alter table drafts no force row level security;
alter table drafts add column target jsonb;
alter table drafts force row level security;
