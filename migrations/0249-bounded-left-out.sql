-- How many items a row stands for: older items that are left out of a sync are kept as a number. Needs no rewrite of the table.
set local lock_timeout = '10s';
alter table item_locations add column items integer not null default 1;
