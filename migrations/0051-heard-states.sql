-- In which state a draft was when its person last said something to its prompt: what came of it later is told once more.
alter table inbox_acks add column heard text not null default 'pending';

alter table inbox_acks no force row level security;
alter table draft_ledger no force row level security;
update inbox_acks set heard = coalesce((
  select case step when 'drafted' then 'pending' when 'decided' then 'confirming' else step end
    from draft_ledger
    where draft_ledger.draft_id = inbox_acks.draft_id and draft_ledger.at <= coalesce(heard_at, inbox_acks.at)
      and step in ('drafted', 'decided', 'confirmed', 'failed', 'ambiguous', 'stale', 'undone', 'discarded', 'expired')
    order by seq desc
    limit 1), 'pending');
alter table inbox_acks force row level security;
alter table draft_ledger force row level security;

alter table inbox_acks drop column heard_at;
