-- What is known of memories beside their text: duplicates, changes that can be undone, recalls, triggers by word, constellations.

create index on memories (workspace_id, brain_id, thread_id, occurred_at, id) where thread_id is not null;
create index on memories (workspace_id, brain_id, archived_at) where archived_at is not null;

create index on memories (workspace_id, brain_id, created_at desc) where archived_at is null and salience <> 'normal';

-- stated: somebody said so; automatic: by storing, archiving or merging; detected: by the rules that find contradictions.
alter table memory_links
  add column origin text not null default 'stated' check (origin in ('stated', 'automatic', 'detected')),
  add column reason text;
create index on memory_links (workspace_id, created_at desc) where relationship_type = 'conflicts_with';

-- A merge or a retirement, with everything it changed, so that it can be undone exactly.
create table memory_changes (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains on delete cascade,
  kind text not null check (kind in ('archive', 'merge')),
  reason text,
  made_by uuid not null references people,
  made_by_label text not null,
  made_at timestamptz not null,
  undone_at timestamptz,
  undone_by_label text
);
create index on memory_changes (workspace_id, brain_id, made_at desc);
call protect('memory_changes');

-- One thing that changed: fields of a memory, from `before` to `after`; or, without `before`, a link that was added.
create table memory_change_steps (
  change_id uuid not null references memory_changes on delete cascade,
  position integer not null,
  workspace_id uuid not null references workspaces,
  memory_id uuid not null references memories on delete cascade,
  before jsonb,
  after jsonb not null,
  primary key (change_id, position)
);
create index on memory_change_steps (memory_id);
call protect('memory_change_steps');

-- Pairs that say the same, until somebody merges or dismisses them.
create table memory_duplicates (
  memory_id uuid not null references memories on delete cascade,
  duplicate_of uuid not null references memories on delete cascade,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains on delete cascade,
  kind text not null check (kind in ('exact', 'near')),
  similarity real not null,
  found_at timestamptz not null,
  dismissed_at timestamptz,
  dismissed_by_label text,
  primary key (memory_id, duplicate_of)
);
-- For one brain, and for all that somebody may read.
create index on memory_duplicates (workspace_id, brain_id, found_at desc, memory_id desc) where dismissed_at is null;
create index on memory_duplicates (workspace_id, found_at desc, memory_id desc) where dismissed_at is null;
create index on memory_duplicates (duplicate_of);
call protect('memory_duplicates');

-- Equal for texts that differ only in letter case, spaces and the punctuation of sentences; signs such as + # < are words.
create function hash_of_content(content text) returns uuid language sql immutable parallel safe return
  md5(lower(btrim(regexp_replace(content, '[\s.,;:!?''()]+', ' ', 'g'))))::uuid;

-- What memories say. A table of its own with one index to find by, for which PostgreSQL needs no statistics to choose it.
create table memory_hashes (
  memory_id uuid primary key references memories on delete cascade,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains on delete cascade,
  content_hash uuid not null
);
-- Ordered within equal texts too, of which there may be thousands: the first of them is the original.
create index on memory_hashes (brain_id, content_hash, memory_id);
-- The rows of every workspace; a table's owner sees them only while its own policy does not bind it.
alter table memories no force row level security;
insert into memory_hashes select id, workspace_id, brain_id, hash_of_content(content) from memories;
alter table memories force row level security;
call protect('memory_hashes');

create function hash_again() returns trigger language plpgsql as $$
begin
  update memory_hashes set brain_id = new.brain_id, content_hash = hash_of_content(new.content) where memory_id = new.id;
  return null;
end $$;
create trigger hash_again after update of content, brain_id on memories for each row execute function hash_again();

-- Reports which of the memories just stored in a brain say what another one says. Who stores the same text at the same time
-- waits here for the other, so that one of the two is told. Plans are kept from when tables were small, so that the indexes
-- are insisted on.
create function report_exact_duplicates(brain uuid, stored uuid[])
returns table (memory uuid, original uuid) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  insert into memory_hashes (memory_id, workspace_id, brain_id, content_hash)
    select one.id, current_workspace(), brain, (select hash_of_content(content) from memories where id = one.id)
    from unnest(stored) as one (id)
    on conflict do nothing;
  perform pg_advisory_xact_lock(each.key) from (
    select distinct hashtextextended(brain::text || (select content_hash from memory_hashes where memory_id = one.id)::text, 8) as key
    from unnest(stored) as one (id) order by key
  ) each;
  return query
    insert into memory_duplicates (memory_id, duplicate_of, workspace_id, brain_id, kind, similarity, found_at)
      select one.id, other.memory_id, current_workspace(), brain, 'exact', 1, now()
      from unnest(stored) as one (id) cross join lateral (
        select same.memory_id from memory_hashes same
        where same.brain_id = brain
          and same.content_hash = (select content_hash from memory_hashes where memory_id = one.id)
          and same.memory_id <> one.id and (same.memory_id < one.id or same.memory_id <> all (stored))
          and (select archived_at is null from memories where id = same.memory_id)
        order by same.memory_id limit 1
      ) other
      on conflict do nothing
      returning memory_duplicates.memory_id, memory_duplicates.duplicate_of;
end $$;

-- What a memory said before it was corrected.
create table memory_versions (
  memory_id uuid not null references memories on delete cascade,
  version integer not null,
  workspace_id uuid not null references workspaces,
  content text not null,
  type text not null,
  salience text not null,
  topics text[] not null,
  triggers jsonb not null,
  replaced_at timestamptz not null,
  replaced_by_label text not null,
  reason text,
  primary key (memory_id, version)
);
call protect('memory_versions');

-- How often a memory was given to somebody. Beside the memories, since a change of those is read by every index.
create table memory_recalls (
  memory_id uuid primary key references memories on delete cascade,
  workspace_id uuid not null references workspaces,
  recall_count integer not null,
  last_recalled_at timestamptz not null,
  -- 0 to 1; grows when somebody builds on what they recalled.
  strength real not null default 0
);
create index on memory_recalls (workspace_id, recall_count desc, memory_id desc);
call protect('memory_recalls');
create index on memory_sessions (workspace_id, brain_id, started_at);

create table memory_recall_days (
  brain_id uuid not null references brains on delete cascade,
  day date not null,
  workspace_id uuid not null references workspaces,
  recalls integer not null,
  primary key (brain_id, day)
);
call protect('memory_recall_days');

-- What was given in a session; kept for some days.
create table session_recalls (
  session_id uuid not null references memory_sessions on delete cascade,
  memory_id uuid not null references memories on delete cascade,
  workspace_id uuid not null references workspaces,
  recalled_at timestamptz not null,
  primary key (session_id, memory_id)
);
create index on session_recalls (memory_id);
create index on session_recalls (workspace_id, recalled_at);
call protect('session_recalls');

-- Conditions of triggers by the words one of which must stand in a text for the condition to fit it.
create table memory_trigger_words (
  memory_id uuid not null references memories on delete cascade,
  -- Which trigger of the memory, and which of its alternatives.
  position integer not null,
  alternative integer not null,
  word text not null,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains on delete cascade,
  stems text[] not null,
  needed integer not null,
  primary key (memory_id, position, alternative, word)
);
create index on memory_trigger_words (workspace_id, word, brain_id, memory_id desc);
call protect('memory_trigger_words');

-- Memories of a brain by what they are about.
create table memory_constellations (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains on delete cascade,
  label text not null,
  topics text[] not null,
  -- When it was gathered.
  memory_count integer not null,
  created_at timestamptz not null
);
create index on memory_constellations (workspace_id, brain_id, memory_count desc);
call protect('memory_constellations');

create table memory_constellation_members (
  memory_id uuid primary key references memories on delete cascade,
  constellation_id uuid not null references memory_constellations on delete cascade,
  workspace_id uuid not null references workspaces
);
create index on memory_constellation_members (constellation_id);
call protect('memory_constellation_members');

-- When the constellations of a brain were last gathered.
create table memory_gatherings (
  brain_id uuid primary key references brains on delete cascade,
  workspace_id uuid not null references workspaces,
  gathered_at timestamptz not null,
  memories integer not null
);
call protect('memory_gatherings');
