-- Which kind of caller started the run that drafted: rules about that kind hold for the draft, too.
set local lock_timeout = '10s';
alter table drafts add column starter_kind text;
