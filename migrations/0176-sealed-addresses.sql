-- The address of a connector whose requests are not signed is its secret. It is kept sealed, and shown at the console alone.
set local lock_timeout = '10s';
alter table webhook_connectors add column sealed_slug text;
