-- What a provider in trouble has kept from being read, and in how many readings: it is tried again, until that is enough.
alter table syncs add column trouble jsonb not null default '{}';

-- The name by which the pages of an account are known. The provider may name the account anew, and may name two alike.
alter table connections no force row level security;
alter table connections add column known_as text;
update connections set known_as = case
  when exists (
    select from connections other
     where (other.workspace_id, other.provider, other.account) = (connections.workspace_id, connections.provider, connections.account)
       and other.account_id <> connections.account_id and (other.connected_at, other.id) < (connections.connected_at, connections.id)
  ) then account || ' (' || account_id || ')' else account end;
alter table connections alter column known_as set not null, force row level security;
