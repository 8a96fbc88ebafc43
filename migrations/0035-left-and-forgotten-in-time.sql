-- In which reading, by its lease, a thing left its list; 0 when that was before what is read now. What leaves a list while others
-- are read may have been moved to one of them that was read before.
alter table sync_whereabouts add column left_in integer not null default 0;

-- When a secret was removed: somebody may have read its reference just before, and still have to open it.
alter table secrets_to_forget add column since timestamptz not null default clock_timestamp();
