-- The second secret of a session: its cookie alone is no caller. Sessions from before have none, and sign in again.
set local lock_timeout = '10s';
alter table sessions add column proof_hash text;
