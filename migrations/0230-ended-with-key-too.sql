-- As 0177: the key by which a link for variables was made, and the one that activated an automation last.
set local lock_timeout = '10s';
alter table variable_links add column made_by_key uuid;
alter table automations add column activated_by_key uuid, add column paused_reason text;
