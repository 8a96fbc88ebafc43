-- A viewer may sum up a session for themselves; what others are told there comes from those who may write.
alter table memory_sessions add column is_shared boolean not null default true;
