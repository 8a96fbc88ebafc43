-- How many mails went to an address, and from a workspace to addresses that it chose, within a time: rows that all processes share.
set local lock_timeout = '10s';
create table mail_brakes (
  subject_hash text primary key,
  began_at timestamptz not null,
  sent integer not null
);
create index on mail_brakes (began_at);
alter table mail_brakes enable row level security;
alter table mail_brakes force row level security;
create policy of_subject on mail_brakes using (is_presented(subject_hash));
-- The server removes those that are two days old: the longest time is one day.
create policy old_for_system on mail_brakes for delete
  using (current_setting('thalamus.system', true) = 'on' and began_at < now() - interval '2 days');
create policy old_seen_by_system on mail_brakes for select
  using (current_setting('thalamus.system', true) = 'on' and began_at < now() - interval '2 days');
grant select, insert, update, delete on mail_brakes to thalamus_app;
call show_to_backup('mail_brakes');
