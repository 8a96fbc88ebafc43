-- What a person edits of a draft is kept with it, beside what was drafted.

alter table drafts
  -- What was drafted, while what will be sent is something else; null: nothing is edited.
  add column drafted_payload jsonb,
  -- What an equal draft of the same caller is recognised by: it stays when the draft is edited.
  add column drafted_hash text,
  add column edited_at timestamptz,
  add column edited_by text;
alter table drafts no force row level security;
update drafts set drafted_hash = payload_hash;
alter table drafts force row level security;
alter table drafts alter column drafted_hash set not null;

drop index one_equal_pending_draft;
create unique index one_equal_pending_draft on drafts (workspace_id, drafted_by, drafted_hash) where status = 'pending';

-- A message on a phone shows what will be sent: an edit makes it due, as a decision does.
drop trigger prompt_is_due on drafts;
create trigger prompt_is_due after update of status, payload_hash on drafts
  for each row
  when (old.status is distinct from new.status or old.payload_hash is distinct from new.payload_hash)
  execute function prompt_is_due();
