-- What a person lets one connected client draft, and the networks that it is used from.
alter table oauth_grants
  -- What narrows the workspace's policy for it.
  add column rules jsonb not null default '[]';

create table oauth_grant_places (
  grant_id uuid not null references oauth_grants on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade,
  -- A network address, without what changes within one network.
  place text not null,
  first_used_at timestamptz not null,
  primary key (grant_id, place)
);
create index on oauth_grant_places (workspace_id);
call protect('oauth_grant_places');
