-- The first thing that a person said to a prompt stays; that they heard of what came of it later is noted beside it.
alter table inbox_acks add column heard_at timestamptz;
