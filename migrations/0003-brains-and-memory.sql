-- The tree of brains, who may use them, and the memories in them.

create table brains (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  parent_brain_id uuid references brains,
  name text not null,
  description text not null default '',
  routing_rules text not null default '',
  personal_to uuid references people,
  created_by uuid references people,
  created_at timestamptz not null
);
create index on brains (workspace_id, parent_brain_id);
create unique index one_personal_brain on brains (workspace_id, personal_to) where personal_to is not null;
call protect('brains');

create table brain_members (
  brain_id uuid not null references brains,
  person_id uuid not null references people,
  workspace_id uuid not null references workspaces,
  access_level text not null check (access_level in ('viewer', 'editor', 'admin', 'owner')),
  cascades boolean not null default true,
  created_at timestamptz not null,
  removed_at timestamptz,
  primary key (brain_id, person_id)
);
create index on brain_members (workspace_id, person_id);
call protect('brain_members');

create table memory_sessions (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains,
  person_id uuid not null references people,
  opened_by text not null,
  started_at timestamptz not null,
  summary text,
  logged_at timestamptz
);
create index on memory_sessions (workspace_id, brain_id, started_at desc) where summary is not null;
call protect('memory_sessions');

-- Every change of a row that search reads marks it with the transaction that made it.
create function mark_changed() returns trigger language plpgsql as $$
begin
  new.changed_xact := pg_current_xact_id();
  return new;
end $$;

create table memories (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains,
  content text not null,
  type text not null check (type in ('decision', 'constraint', 'fact', 'preference', 'observation')),
  salience text not null check (salience in ('normal', 'elevated', 'critical')),
  topics text[] not null,
  triggers jsonb not null default '[]',
  session_id uuid references memory_sessions,
  thread_id text,
  author text,
  role text check (role in ('user', 'assistant', 'other')),
  occurred_at timestamptz not null,
  source text,
  stored_by uuid not null references people,
  stored_by_label text not null,
  created_at timestamptz not null,
  archived_at timestamptz,
  archive_reason text,
  superseded_by uuid references memories,
  changed_xact xid8 not null default pg_current_xact_id()
);
create index on memories (workspace_id, brain_id, created_at desc, id desc) where archived_at is null;
-- What opening a brain asks for, so that it costs no more in a large one.
create index on memories (workspace_id, brain_id, type, created_at desc) where archived_at is null;
create index on memories (workspace_id, brain_id, created_at desc) where archived_at is null and salience = 'critical';
create index on memories (workspace_id, brain_id, created_at desc) where archived_at is null and triggers <> '[]';
create index on memories (workspace_id, changed_xact);
create trigger mark_changed before update on memories for each row execute function mark_changed();
call protect('memories');

create table memory_links (
  workspace_id uuid not null references workspaces,
  source_memory_id uuid not null references memories,
  target_memory_id uuid not null references memories,
  relationship_type text not null check (relationship_type in
    ('depends_on', 'conflicts_with', 'supersedes', 'relates_to', 'decided_because_of', 'refines')),
  created_at timestamptz not null,
  primary key (source_memory_id, target_memory_id, relationship_type)
);
create index on memory_links (target_memory_id);
call protect('memory_links');
