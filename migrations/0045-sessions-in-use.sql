-- When a session was last used, so that its person recognises it.
alter table sessions add column last_used_at timestamptz;
create index on sessions (workspace_id, person_id) where revoked_at is null;
