-- Variables have a version, and it is known whether a person or an agent set them. What a person activated is bound to ids: a variable
-- of the same name that comes later is another one.
set local lock_timeout = '10s';

-- The owner of the tables is let past row level security while this fills columns; each table is closed again below.
alter table variables no force row level security;
alter table automations no force row level security;
alter table brains no force row level security;
alter table webhook_connectors no force row level security;
alter table webhook_versions no force row level security;
alter table keys no force row level security;
alter table audit_log no force row level security;

-- `version` counts values and where they may go. A token that its provider rotates is the same version.
alter table variables add column version integer not null default 1;
alter table variables add column set_by_kind text not null default 'person' check (set_by_kind in ('person', 'agent'));
-- Who wrote the description, and whether it is an agent's that no person has taken over.
alter table variables add column description_by text;
alter table variables add column is_description_unseen boolean not null default false;

-- Of an agent is a value that a program stored whose key may not make keys, as its audit row says; or one that stands at the agent under the
-- agent's own label and came by no page.
update variables v set set_by_kind = 'agent'
  where exists (
      select from audit_log a
       where a.workspace_id = v.workspace_id and a.at = v.updated_at and a.caller_kind in ('key', 'oauth', 'run')
         and a.operation in ('set_variable', 'automation_secret_set', 'create_permission_set')
         and not exists (select from keys k where k.id = a.caller_id and 'keys:write' = any (k.scopes)))
    or (v.scope = 'agent'
      and exists (select from keys k where k.id = v.key_id and k.label = v.set_by_label and not 'keys:write' = any (k.scopes))
      and not exists (
        select from audit_log a
         where a.workspace_id = v.workspace_id and a.at = v.updated_at and a.operation = 'set_variables_page'));
update variables set description_by = set_by_label, is_description_unseen = (set_by_kind = 'agent') where description <> '';

-- By a link that an agent made nobody replaces a value without signing in: whoever holds the link may be the agent itself.
alter table variable_links add column is_made_by_agent boolean not null default true;

-- Which variable a name meant for an automation when a person activated it.
create table automation_variables (
  automation_id uuid not null references automations on delete cascade,
  workspace_id uuid not null references workspaces,
  name text not null,
  -- It may be gone: then the automation stops where it uses it.
  variable_id uuid not null,
  handle text not null,
  primary key (automation_id, name)
);
call protect('automation_variables');
-- The version of its source that its variables were bound for; null: it was not activated since names are bound.
alter table automations add column bound_version_id uuid;

-- What resolves today for the owner of each active automation: their own, then those of its brain and the brains above, then the
-- workspace's.
with recursive active as (
  select a.id, a.workspace_id, a.person_id, a.active_version_id,
         coalesce(a.brain_id, (select b.id from brains b where b.personal_to = a.person_id)) as brain_id
    from automations a where a.state = 'active'
), lineage (automation_id, brain_id, depth) as (
  select id, brain_id, 0 from active where brain_id is not null
  union all
  select l.automation_id, b.parent_brain_id, l.depth + 1
    from lineage l join brains b on b.id = l.brain_id where b.parent_brain_id is not null and l.depth < 100
), candidates as (
  select a.id as automation_id, a.workspace_id, v.name, v.id as variable_id, v.handle, -1 as distance
    from active a join variables v on v.workspace_id = a.workspace_id and v.scope = 'person' and v.scope_id = a.person_id
  union all
  select a.id, a.workspace_id, v.name, v.id, v.handle, l.depth
    from active a join lineage l on l.automation_id = a.id
    join variables v on v.workspace_id = a.workspace_id and v.scope = 'brain' and v.scope_id = l.brain_id
  union all
  select a.id, a.workspace_id, v.name, v.id, v.handle, 1000
    from active a join variables v on v.workspace_id = a.workspace_id and v.scope = 'org'
)
insert into automation_variables (automation_id, workspace_id, name, variable_id, handle)
select distinct on (automation_id, name) automation_id, workspace_id, name, variable_id, handle
  from candidates order by automation_id, name, distance;
update automations set bound_version_id = active_version_id where state = 'active';

-- Whose value a version's secret is; null: none, or the version still waits for a variable of that name.
alter table webhook_versions add column secret_variable_id uuid;
with recursive named as (
  select w.id, w.workspace_id, c.person_id, w.brain_id, w.secret_variable
    from webhook_versions w join webhook_connectors c on c.id = w.connector_id
   where w.secret_variable is not null and w.secret is not null and c.state <> 'deleted'
), lineage (version_id, brain_id, depth) as (
  select id, brain_id, 0 from named
  union all
  select l.version_id, b.parent_brain_id, l.depth + 1
    from lineage l join brains b on b.id = l.brain_id where b.parent_brain_id is not null and l.depth < 100
), candidates as (
  select n.id, v.id as variable_id, -1 as distance
    from named n join variables v on v.workspace_id = n.workspace_id and v.name = n.secret_variable
     and v.scope = 'person' and v.scope_id = n.person_id
  union all
  select n.id, v.id, l.depth
    from named n join lineage l on l.version_id = n.id
    join variables v on v.workspace_id = n.workspace_id and v.name = n.secret_variable
     and v.scope = 'brain' and v.scope_id = l.brain_id
  union all
  select n.id, v.id, 1000
    from named n join variables v on v.workspace_id = n.workspace_id and v.name = n.secret_variable and v.scope = 'org'
), nearest as (
  select distinct on (id) id, variable_id from candidates order by id, distance
)
update webhook_versions w set secret_variable_id = nearest.variable_id from nearest where nearest.id = w.id;
create index on webhook_versions (secret_variable_id) where secret_variable_id is not null;

alter table variables force row level security;
alter table automations force row level security;
alter table brains force row level security;
alter table webhook_connectors force row level security;
alter table webhook_versions force row level security;
alter table keys force row level security;
alter table audit_log force row level security;
