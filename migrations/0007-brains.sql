-- What a team needs of its brains: a language, members who are yet to come, core knowledge, skills, and an end.

alter table brains add column language text not null default 'en' check (language ~ '^[a-z]{2,3}$');

-- Permissions that are new, for keys that had all there were: an owner's key stays one that may do everything. The
-- table's own owner is let past row level security for this statement alone.
alter table keys no force row level security;
update keys set scopes = scopes || array['brains:delete', 'members:write']
  where scopes @> array['workspace:admin', 'policy:write', 'sign_in_links:create', 'keys:write', 'actions:confirm', 'brains:write']
    and not scopes && array['brains:delete', 'members:write'];
alter table keys force row level security;
