-- Plain values of an automation, by name, that stand in its source in double braces. Needs no rewrite of the table.
set local lock_timeout = '10s';
alter table automations add column settings jsonb not null default '{}';
