-- Runs by hand of automations that are not active take turns: the database itself lets no two of one person run at once.

set local lock_timeout = '10s';
alter table automation_runs
  add column is_trial boolean not null default false,
  -- How many runs of whoever started it waited or ran before it: the runs of one person go by this first.
  add column turn integer not null default 0;
create unique index one_trial_of_a_person on automation_runs (person_id) where status = 'running' and is_trial;
