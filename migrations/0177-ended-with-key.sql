-- The key by which a destination, a connector or a hook address, and its token or secret, came about: revoking the key pauses or ends them,
-- and says why. As in 0185, plain ids without a reference.
set local lock_timeout = '10s';
alter table output_destinations add column made_by_key uuid, add column secret_made_by_key uuid, add column state_reason text;
alter table webhook_connectors add column made_by_key uuid, add column state_reason text;
alter table automations add column webhook_made_by_key uuid, add column webhook_ended_reason text;
