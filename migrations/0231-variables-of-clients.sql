-- A connected client (OAuth) is an agent and holds variables as a key does: they go with its grant.
set local lock_timeout = '10s';
alter table variables add column grant_id uuid references oauth_grants on delete cascade;
alter table variables drop constraint variables_check, drop constraint variables_check1;
alter table variables
  add constraint one_holder check (num_nonnulls(brain_id, key_id, grant_id, permission_set_id, person_id) = (scope <> 'org')::int) not valid,
  add constraint holder_is_scope check (coalesce(brain_id, key_id, grant_id, permission_set_id, person_id, workspace_id) = scope_id) not valid;
alter table variables validate constraint one_holder;
alter table variables validate constraint holder_is_scope;
create index on variables (grant_id) where grant_id is not null;
