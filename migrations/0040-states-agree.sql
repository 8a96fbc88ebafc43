-- What is stored of a draft agrees with its state. Earlier versions left the error of a doubt on what was confirmed later.

alter table drafts no force row level security;
update drafts set
  error = case
    when status in ('failed', 'stale', 'ambiguous') then coalesce(error, '{"message": "Nothing was noted of it."}')
  end,
  result = case when status in ('confirmed', 'undone') then coalesce(result, '{}') end,
  decided_at = case when status not in ('pending', 'expired') then coalesce(decided_at, settled_at, created_at) end,
  settled_at = case
    when status not in ('pending', 'confirming', 'ambiguous') then coalesce(settled_at, decided_at, created_at)
  end,
  send_started_at = case
    when status = 'ambiguous' then coalesce(send_started_at, decided_at, created_at)
    when status not in ('pending', 'discarded', 'expired', 'stale') then send_started_at
  end,
  lease_until = case when status in ('confirming', 'ambiguous') then lease_until end,
  ask_at = case when status in ('confirming', 'ambiguous') then ask_at end;
alter table drafts force row level security;

alter table drafts
  add constraint error_agrees check ((error is not null) = (status in ('failed', 'stale', 'ambiguous'))),
  add constraint result_agrees check ((result is not null) = (status in ('confirmed', 'undone'))),
  -- A draft becomes stale before anybody decides, or after.
  add constraint decision_agrees check (
    case when status in ('pending', 'expired') then decided_at is null else decided_at is not null or status = 'stale' end
  ),
  add constraint end_agrees check ((settled_at is null) = (status in ('pending', 'confirming', 'ambiguous'))),
  add constraint sending_agrees check (
    case
      when status in ('pending', 'discarded', 'expired', 'stale') then send_started_at is null
      else send_started_at is not null or status <> 'ambiguous'
    end
  ),
  add constraint lease_agrees check (status in ('confirming', 'ambiguous') or (lease_until is null and ask_at is null));
