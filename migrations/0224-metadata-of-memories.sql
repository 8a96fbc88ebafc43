-- What a translator says of an item beside its text: metadata, type and tags. They are answered with the memory, and search finds it by
-- them. Null: it has none.
set local lock_timeout = '10s';
alter table memories add column metadata jsonb;

create or replace view searchable with (security_invoker) as
  select workspace_id, brain_id, id, 'memory' as kind, type, salience, null::text as title, content as body,
    case when metadata is null then '' else coalesce((select string_agg(value #>> '{}', ' ') from jsonb_each(metadata)), '') end as labels,
    author, role, thread_id,
    extract(epoch from occurred_at)::double precision as occurred_at, source, changed_xact, archived_at is null as is_live,
    null::double precision as ends_at, false as is_whole_day
  from memories
  union all
  select workspace_id, brain_id, id, 'page', type, null, title,
    case when has_attached_text
      then body || coalesce((select left(string_agg(E'\n\n' || filename || E'\n' || left(text, 50000), '' order by position, source_ref), 200000)
        from attachments where page_id = pages.id and text is not null), '')
      else body end,
    coalesce((select string_agg(value #>> '{}', ' ') from jsonb_each(frontmatter)), ''), author, null, null,
    extract(epoch from occurred_at)::double precision, source, changed_xact, deleted_at is null,
    extract(epoch from ends_at)::double precision, days is not null
  from pages;
