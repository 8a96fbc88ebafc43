-- Whether a person acknowledged a host for an automation, and not an agent. Of the hosts that are here nobody knows: they
-- count where a person once activated the automation, or runs it.
set local lock_timeout = '10s';
alter table automation_http_fetch_hosts add column is_by_person boolean not null default false;
