-- What the questions of one identity count toward its daily caps, in all its workspaces: one person, one cap.
-- The workspace is named without a reference and under a name of its own, since no workspace sees these rows.
set local lock_timeout = '10s';
create table identity_spending (
  usage_id uuid primary key,
  subject_hash text not null,
  asked_in uuid not null,
  is_trial boolean not null,
  spent_micro_usd bigint not null,
  reserved_micro_usd bigint not null,
  reserved_until timestamptz,
  asked_at timestamptz not null
);
create index on identity_spending (subject_hash, asked_at);
create index on identity_spending (asked_at);
alter table identity_spending enable row level security;
alter table identity_spending force row level security;
create policy of_subject on identity_spending using (is_presented(subject_hash));
-- Only today's rows count; the server removes those that are two days old.
create policy old_for_system on identity_spending for delete
  using (current_setting('thalamus.system', true) = 'on' and asked_at < now() - interval '2 days');
create policy old_seen_by_system on identity_spending for select
  using (current_setting('thalamus.system', true) = 'on' and asked_at < now() - interval '2 days');
grant select, insert, update, delete on identity_spending to thalamus_app;
call show_to_backup('identity_spending');
