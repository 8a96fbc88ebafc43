-- The key by which a credential, a phone, an invitation or a person came about: revoking the key ends them, or lists them.
-- Plain ids without a reference: keys are never deleted but with their workspace, and people and keys would refer to each other.
set local lock_timeout = '10s';
alter table keys add column made_by_key uuid;
alter table webhook_tokens add column made_by_key uuid;
alter table telegram_links add column code_made_by_key uuid, add column made_by_key uuid;
alter table invitations add column made_by_key uuid;
alter table brain_invitations add column made_by_key uuid;
alter table people add column made_by_key uuid;
create index on keys (made_by_key) where made_by_key is not null;
create index on people (made_by_key) where made_by_key is not null;
