-- Transaction ids order what happened in one history of one cluster alone. A standby that is promoted begins another history, and
-- hands out ids again that the old primary had used. So whoever keeps a snapshot or a cursor keeps the history with it.
set local lock_timeout = '10s';

-- The cluster and its timeline. Where a hosted PostgreSQL hides them, the start of the server stands for them.
create function database_history() returns text language plpgsql stable as $$
begin
  return (select system_identifier from pg_control_system()) || '.' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8);
exception when others then
  return 'started.' || extract(epoch from pg_postmaster_start_time())::bigint;
end $$;

alter table embedding_runs add column history text;

-- The comment on this function names the cluster whose transaction ids the rows have. A copy in another cluster brings the old name
-- along, and its ids are renewed.
