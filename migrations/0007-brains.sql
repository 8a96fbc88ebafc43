-- What a team needs of its brains: a language, members who are yet to come, core knowledge, skills, and an end.

alter table brains add column language text not null default 'en' check (language ~ '^[a-z]{2,3}$');

-- What belongs to a brain goes with it. Each reference has an index to go by, or deleting many rows would read all the
-- others for each of them.
create index on memories (brain_id, id);
create index on memories (superseded_by) where superseded_by is not null;
create index on memories (session_id) where session_id is not null;
create index on memory_sessions (brain_id, id);
create index on drafts (brain_id);
create index on brains (parent_brain_id);
create index on events (brain_id) where brain_id is not null;
create index on keys (home_brain_id);

alter table brain_members
  drop constraint brain_members_brain_id_fkey,
  add constraint brain_members_brain_id_fkey foreign key (brain_id) references brains on delete cascade;
alter table memory_sessions
  drop constraint memory_sessions_brain_id_fkey,
  add constraint memory_sessions_brain_id_fkey foreign key (brain_id) references brains on delete cascade;
alter table memories
  drop constraint memories_brain_id_fkey,
  add constraint memories_brain_id_fkey foreign key (brain_id) references brains on delete cascade,
  -- A memory of another brain outlives the session it was stored in, and the memory that replaced it.
  drop constraint memories_session_id_fkey,
  add constraint memories_session_id_fkey foreign key (session_id) references memory_sessions on delete set null,
  drop constraint memories_superseded_by_fkey,
  add constraint memories_superseded_by_fkey foreign key (superseded_by) references memories on delete set null;
alter table memory_links
  drop constraint memory_links_source_memory_id_fkey,
  add constraint memory_links_source_memory_id_fkey
    foreign key (source_memory_id) references memories on delete cascade,
  drop constraint memory_links_target_memory_id_fkey,
  add constraint memory_links_target_memory_id_fkey
    foreign key (target_memory_id) references memories on delete cascade;
alter table pages
  drop constraint pages_brain_id_fkey,
  add constraint pages_brain_id_fkey foreign key (brain_id) references brains on delete cascade;
alter table page_versions
  drop constraint page_versions_page_id_fkey,
  add constraint page_versions_page_id_fkey foreign key (page_id) references pages on delete cascade;
-- A draft and its ledger tell what was sent from a person's account: they outlive the brain it was drafted in.
alter table drafts
  alter column brain_id drop not null,
  drop constraint drafts_brain_id_fkey,
  add constraint drafts_brain_id_fkey foreign key (brain_id) references brains on delete set null;

-- Which brains are gone, so that every process can forget their index. Nothing of what they held is told here.
create table deleted_brains (
  brain_id uuid primary key,
  workspace_id uuid not null references workspaces,
  deleted_by uuid not null,
  deleted_at timestamptz not null,
  changed_xact xid8 not null default pg_current_xact_id()
);
create index on deleted_brains (workspace_id, changed_xact);
call protect('deleted_brains');

-- Permissions that are new, for keys that had all there were: an owner's key stays one that may do everything. The
-- table's own owner is let past row level security for this statement alone.
alter table keys no force row level security;
update keys set scopes = scopes || array['brains:delete', 'members:write']
  where scopes @> array['workspace:admin', 'policy:write', 'sign_in_links:create', 'keys:write', 'actions:confirm', 'brains:write']
    and not scopes && array['brains:delete', 'members:write'];
alter table keys force row level security;

-- Who was invited by mail address and is not here yet. They join when they first sign in.
create table brain_invitations (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains on delete cascade,
  email text not null check (email = lower(email)),
  access_level text not null check (access_level in ('viewer', 'editor', 'admin')),
  cascades boolean not null,
  invited_by uuid not null references people,
  created_at timestamptz not null,
  unique (brain_id, email)
);
create index on brain_invitations (workspace_id, email);
call protect('brain_invitations');
create unique index one_person_for_an_address on people (workspace_id, lower(email));

-- A link may be for somebody who joins by it, and is then known by their address alone.
alter table sign_in_links
  alter column person_id drop not null,
  add column email text,
  add constraint one_addressee check (num_nonnulls(person_id, email) = 1);

-- What always holds on a brain, one active item in each section; earlier ones are kept.
create table core_knowledge (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains on delete cascade,
  section text not null,
  content text not null,
  visibility text not null check (visibility in ('inherited', 'local')),
  version integer not null,
  added_by uuid not null references people,
  added_by_label text not null,
  created_at timestamptz not null,
  deactivated_at timestamptz,
  deactivated_by_label text
);
create unique index one_active_item on core_knowledge (brain_id, lower(section)) where deactivated_at is null;
create unique index on core_knowledge (brain_id, lower(section), version);
create index on core_knowledge (brain_id, id);
call protect('core_knowledge');

-- Instructions that a workspace keeps in a library, and where they hold: on brains, or for single agents by their keys.
create table skills (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  name text not null,
  version integer not null,
  created_by uuid not null references people,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index one_skill_of_a_name on skills (workspace_id, lower(name));
call protect('skills');

create table skill_versions (
  skill_id uuid not null references skills on delete cascade,
  version integer not null,
  workspace_id uuid not null references workspaces,
  content text not null,
  saved_by uuid not null references people,
  saved_by_label text not null,
  created_at timestamptz not null,
  primary key (skill_id, version)
);
call protect('skill_versions');

create table skill_assignments (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  skill_id uuid not null references skills on delete cascade,
  brain_id uuid references brains on delete cascade,
  key_id uuid references keys on delete cascade,
  is_enabled boolean not null,
  assigned_by uuid not null references people,
  created_at timestamptz not null,
  check (num_nonnulls(brain_id, key_id) = 1)
);
create unique index on skill_assignments (brain_id, skill_id) where brain_id is not null;
create unique index on skill_assignments (key_id, skill_id) where key_id is not null;
create index on skill_assignments (skill_id);
call protect('skill_assignments');
