-- History is read in the order in which drafts were decided, expired or went out of date.
alter table drafts add column ended_at timestamptz not null generated always as
  (coalesce(decided_at, case when status in ('pending', 'expired') then expires_at end, settled_at, created_at)) stored;
create index drafts_by_end on drafts (workspace_id, person_id, ended_at desc, id desc);
