-- What a workspace embeds in the background is paid by the workspace: no single person asked for it.
set local lock_timeout = '10s';

alter table llm_usage alter column person_id drop not null;
