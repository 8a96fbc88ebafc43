-- An event of whole days is on its days wherever somebody asks, so it has dates and no moments. An event lasts until its end.
-- A trigger reads both from the frontmatter, so that every way to write a page stores the same.
set local lock_timeout = '10s';
alter table pages add column days daterange;
-- Of whole days, `occurred_at` and `ends_at` are midnights of UTC: they order and index them, and `days` says when they are.
alter table pages add column ends_at timestamptz;

create function date_of(text) returns date language sql stable as $$
  select case when $1 ~ '^\d{4}-\d{2}-\d{2}' and pg_input_is_valid(left($1, 10), 'date') then left($1, 10)::date end
$$;

-- A time without a zone counts as UTC, as conditions on frontmatter read it.
create function moment_of(text) returns timestamptz language sql stable as $$
  select case when not pg_input_is_valid($1, 'timestamptz') then null
    when $1 ~ '^\d{4}-\d{2}-\d{2}[T ].*(Z|[+-]\d{2}:?\d{2})$' then $1::timestamptz
    when $1 ~ '^\d{4}-\d{2}-\d{2}' then $1::timestamp at time zone 'UTC' end
$$;

create function note_event_times() returns trigger language plpgsql as $$
declare
  first date := date_of(new.frontmatter ->> 'start');
begin
  new.days := null;
  new.ends_at := moment_of(new.frontmatter ->> 'end');
  if new.frontmatter -> 'all_day' = 'true' and first between '0001-01-01' and '9999-12-30' then
    -- Calendars give the day after the last; some give none, or the same day.
    new.days := daterange(first, greatest(date_of(new.frontmatter ->> 'end'), first + 1));
    new.occurred_at := first::timestamp at time zone 'UTC';
    new.ends_at := upper(new.days)::timestamp at time zone 'UTC';
  end if;
  return new;
end $$;
create trigger note_event_times before insert or update of type, frontmatter, occurred_at on pages
  for each row when (new.type = 'calendar_event') execute function note_event_times();

-- Events from before. The owner of the tables is not above their policies, so this lifts one. Every source writes `all_day`,
-- so the index on frontmatter finds them.
alter table pages no force row level security;
update pages set frontmatter = frontmatter
 where type = 'calendar_event' and (frontmatter @> '{"all_day": true}' or frontmatter @> '{"all_day": false}');
alter table pages force row level security;
create index on pages (workspace_id, brain_id, ends_at) where ends_at is not null;

create or replace view searchable with (security_invoker) as
  select workspace_id, brain_id, id, 'memory' as kind, type, salience, null::text as title, content as body,
    '' as labels, author, role, thread_id,
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
