-- Scopes that no agent has by default, for keys that had all that there were.
alter table keys no force row level security;
update keys set scopes = scopes || array['brains:move', 'syncs:write', 'connections:delete', 'variables:delete',
    'shared_variables:write', 'permission_sets:write', 'knowledge:write']
  where scopes @> array['brains:write', 'brains:delete', 'members:write', 'actions:confirm', 'keys:read', 'keys:write',
    'sign_in_links:create', 'notifications:write', 'approvers:read', 'approvers:write']
    and not scopes && array['brains:move'];
alter table keys force row level security;
