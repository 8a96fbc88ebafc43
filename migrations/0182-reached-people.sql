-- Whom a draft reaches, and who of them was outside and never reached before, so that a person sees it when they decide.
set local lock_timeout = '10s';
alter table drafts add column reached text[] not null default '{}';
alter table drafts add column newly_reached text[] not null default '{}';
create index drafts_reached on drafts using gin (reached) where status = 'confirmed' and reached <> '{}';
