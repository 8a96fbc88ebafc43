-- Runs by hand are few and wait beside thousands that a schedule started: they are found without reading those.
set local lock_timeout = '10s';
create index automation_runs_by_hand on automation_runs (workspace_id, person_id, due_at)
 where status = 'queued' and starter is not null;
