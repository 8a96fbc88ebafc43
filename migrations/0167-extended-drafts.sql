-- A message on a phone says until when its draft waits: a person who extends the draft makes the message due, as an edit does.
set local lock_timeout = '10s';

drop trigger prompt_is_due on drafts;
create trigger prompt_is_due after update of status, payload_hash, expires_at on drafts
  for each row
  when (old.status is distinct from new.status or old.payload_hash is distinct from new.payload_hash or new.expires_at > old.expires_at)
  execute function prompt_is_due();
