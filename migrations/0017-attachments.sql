-- Files that belong to pages: what is known of each, its words, and its bytes, which a workspace keeps once however often they came.

create table attachment_contents (
  workspace_id uuid not null references workspaces,
  sha256 bytea not null,
  size bigint not null,
  -- When somebody last came with it. What nobody refers to is removed some time after.
  kept_at timestamptz not null,
  primary key (workspace_id, sha256)
);
call protect('attachment_contents');

-- The bytes in parts of a megabyte, so that nobody who writes or reads a large file holds it as a whole.
create table attachment_parts (
  workspace_id uuid not null references workspaces,
  sha256 bytea not null,
  position integer not null,
  bytes bytea not null,
  primary key (workspace_id, sha256, position),
  foreign key (workspace_id, sha256) references attachment_contents on delete cascade
);
call protect('attachment_parts');

create table attachments (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  page_id uuid not null references pages on delete cascade,
  -- Its identity within the page, which stays from one reading to the next.
  source_ref text not null,
  position integer not null,
  filename text not null,
  mime_type text not null,
  size bigint not null,
  message_id text not null,
  -- How its source gets it; only the source reads this.
  handle jsonb not null,
  state text not null check (state in ('awaited', 'stored', 'too_big', 'failed')),
  -- Why it is not stored, for people.
  reason text,
  attempts integer not null default 0,
  sha256 bytea,
  -- Its words, of a format that is text.
  text text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (page_id, source_ref),
  foreign key (workspace_id, sha256) references attachment_contents,
  check ((state = 'stored') = (sha256 is not null))
);
create index on attachments (workspace_id, sha256) where sha256 is not null;
create index on attachments (workspace_id, page_id) where state = 'awaited';
call protect('attachments');

-- Whether an attachment has words of its own: so search looks for them where there are some alone.
alter table pages add column has_attached_text boolean not null default false;

-- What was only listed so far is listed here from now on. The owner of the tables is not above their policies, so this lifts one.
alter table pages no force row level security;
alter table attachments no force row level security;
insert into attachments (id, workspace_id, page_id, source_ref, position, filename, mime_type, size, message_id, handle,
    state, reason, created_at, updated_at)
  select gen_random_uuid(), workspace_id, pages.id, 'earlier/' || place, place, coalesce(file ->> 'filename', ''),
      coalesce(file ->> 'mime_type', ''), coalesce((file ->> 'size')::bigint, 0), coalesce(file ->> 'message_id', ''), '{}',
      'failed', 'Files were not kept yet when this was read. Read the page again at its source.', updated_at, updated_at
    from pages, jsonb_array_elements(attachments) with ordinality as listed (file, place)
   where deleted_at is null;
alter table pages force row level security;
alter table attachments force row level security;
alter table pages drop column attachments;

-- For those who read what happened, the latest first.
create index on pages (workspace_id, brain_id, occurred_at desc);

-- The beginnings of long files alone are searched, since the words of a whole brain have to fit into memory.
drop view searchable;
create view searchable with (security_invoker) as
  select workspace_id, brain_id, id, 'memory' as kind, type, salience, null::text as title, content as body,
    '' as labels, author, role, thread_id,
    extract(epoch from occurred_at)::double precision as occurred_at, source, changed_xact, archived_at is null as is_live
  from memories
  union all
  select workspace_id, brain_id, id, 'page', type, null, title,
    case when has_attached_text
      then body || coalesce((select left(string_agg(E'\n\n' || filename || E'\n' || left(text, 50000), '' order by position, source_ref), 200000)
        from attachments where page_id = pages.id and text is not null), '')
      else body end,
    coalesce((select string_agg(value #>> '{}', ' ') from jsonb_each(frontmatter)), ''), author, null, null,
    extract(epoch from occurred_at)::double precision, source, changed_xact, deleted_at is null
  from pages;
grant select on searchable to thalamus_app;
