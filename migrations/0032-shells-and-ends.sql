-- A provider may be described before its client is known; when either came is kept.
alter table provider_configs
  alter column client_id drop not null,
  add column created_at timestamptz,
  add column configured_at timestamptz;
alter table provider_configs no force row level security;
update provider_configs set created_at = updated_at, configured_at = updated_at;
alter table provider_configs force row level security;
alter table provider_configs alter column created_at set not null;

-- When an account was ended here.
alter table connections add column revoked_at timestamptz;
alter table connections no force row level security;
update connections set revoked_at = updated_at where status = 'revoked';
alter table connections force row level security;
