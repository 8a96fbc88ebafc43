-- The placement hmac: code may sign with values that have it. So far it signed with any, so values of people that are long enough have it, and
-- those that are signing secrets of connectors. Digits alone are not told from a sealed value: they are refused when they are used.
set local lock_timeout = '10s';

alter table variables no force row level security;
alter table webhook_versions no force row level security;

-- A value sealed here is as long as its text, beside 12 bytes before and 16 after it. The length of one in a vault outside is not known.
update variables v set placements = v.placements || array['hmac']
  where v.set_by_kind = 'person' and not 'hmac' = any (v.placements)
    and (v.value not like 'local:v1:%' or length(decode(split_part(v.value, ':', 4), 'base64')) - 28 >= 16
      or exists (select from webhook_versions w where w.secret_variable_id = v.id));

alter table variables force row level security;
alter table webhook_versions force row level security;
