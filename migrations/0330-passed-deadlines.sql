-- Deadlines that passed: a workflow knows its next one, and people are mailed about each once.
set local lock_timeout = '10s';

-- The earliest open deadline that is not yet an event; null: there is none. Needs no rewrite of the table.
alter table workflows add column next_deadline_at timestamptz;
create index on workflows (next_deadline_at) where next_deadline_at is not null and state = 'active';

alter table workflows no force row level security;
update workflows set next_deadline_at = (
  select min(ends.at) from jsonb_array_elements(deadlines) as deadline
    cross join lateral (
      select case when length(deadline ->> 'due') = 10
        then (deadline ->> 'due')::timestamp at time zone 'UTC' + interval '1 day'
        else (deadline ->> 'due')::timestamptz end as at) ends
   where not (deadline ->> 'is_done')::boolean and ends.at > now());
alter table workflows force row level security;

create function workspaces_with_passed_deadlines(passed_by timestamptz) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct workspace_id from workflows
   where is_system() and state = 'active' and next_deadline_at <= passed_by and uninstalled_at is null
$$;

-- A notice for a person about a passed deadline. It is claimed before a mail goes out, so that one that may have gone never goes again.
create table deadline_mails (
  workflow_id uuid not null references workflows on delete cascade,
  -- The deadline, as it was when it passed.
  name text not null,
  due text not null,
  person_id uuid not null references people on delete cascade,
  workspace_id uuid not null references workspaces,
  created_at timestamptz not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  claimed_at timestamptz,
  sent_at timestamptz,
  primary key (workflow_id, name, due, person_id)
);
create index on deadline_mails (workspace_id, person_id, created_at) where claimed_at is null;
call protect('deadline_mails');
