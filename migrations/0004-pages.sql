-- Structured documents that integrations bring in, and the view that search reads.

create table pages (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains,
  slug text not null,
  type text not null,
  title text not null,
  body text not null,
  frontmatter jsonb not null,
  attachments jsonb not null default '[]',
  author text,
  source text,
  source_ref text,
  -- What the page was made from; equal means there is nothing to write.
  content_hash text not null,
  version integer not null default 1,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  changed_xact xid8 not null default pg_current_xact_id(),
  unique (brain_id, slug),
  unique (brain_id, source_ref)
);
create index on pages (workspace_id, brain_id, updated_at desc);
create index on pages (workspace_id, changed_xact);
create index on pages using gin (frontmatter jsonb_path_ops);
create trigger mark_changed before update on pages for each row execute function mark_changed();
call protect('pages');

create table page_versions (
  page_id uuid not null references pages,
  workspace_id uuid not null references workspaces,
  version integer not null,
  title text not null,
  body text not null,
  frontmatter jsonb not null,
  created_at timestamptz not null,
  primary key (page_id, version)
);
call protect('page_versions');

create view searchable with (security_invoker) as
  select workspace_id, brain_id, id, 'memory' as kind, type, null::text as title, content as body,
    array_to_string(topics, ' ') as labels, author, role, thread_id,
    extract(epoch from occurred_at)::double precision as thread_position,
    occurred_at, source, created_at, changed_xact, archived_at is null as is_live
  from memories
  union all
  select workspace_id, brain_id, id, 'page', type, title, body,
    coalesce((select string_agg(value #>> '{}', ' ') from jsonb_each(frontmatter)), ''), author, null, null,
    extract(epoch from occurred_at)::double precision,
    occurred_at, source, created_at, changed_xact, deleted_at is null
  from pages;
grant select on searchable to thalamus_app;
