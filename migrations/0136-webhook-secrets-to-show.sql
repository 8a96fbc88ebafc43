-- A secret that was made while no person looked waits until the connector's person reads it, once.
alter table webhook_connectors add column has_unread_secret boolean not null default false;
