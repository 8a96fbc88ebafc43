-- A person can pause a connected client, as a key.

alter table oauth_grants add column paused_at timestamptz;
