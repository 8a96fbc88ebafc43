-- What search reads of memories and pages. Topics are a memory's own words, so they are not read once more.

drop view searchable;
create view searchable with (security_invoker) as
  select workspace_id, brain_id, id, 'memory' as kind, type, salience, null::text as title, content as body,
    '' as labels, author, role, thread_id,
    extract(epoch from occurred_at)::double precision as occurred_at, source, changed_xact, archived_at is null as is_live
  from memories
  union all
  select workspace_id, brain_id, id, 'page', type, null, title, body,
    coalesce((select string_agg(value #>> '{}', ' ') from jsonb_each(frontmatter)), ''), author, null, null,
    extract(epoch from occurred_at)::double precision, source, changed_xact, deleted_at is null
  from pages;
grant select on searchable to thalamus_app;

-- Found by id alone, PostgreSQL would read every row of the workspace as long as it has no statistics of a table that grows.
create unique index on memories (workspace_id, id);
create unique index on pages (workspace_id, id);
