-- The automations whose runs led to a run, so that automations do not start each other without end.
alter table automation_runs add column chain uuid[] not null default '{}';
