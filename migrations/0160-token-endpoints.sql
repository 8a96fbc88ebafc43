-- Token endpoints that people named: a token of such a variable is asked for there without an approval, and nowhere else.
set local lock_timeout = '10s';

create table variable_token_endpoints (
  variable_id uuid primary key references variables on delete cascade,
  workspace_id uuid not null references workspaces,
  url text not null
);
call protect('variable_token_endpoints');

-- The owner of the tables fills it, so row level security must let the owner see all rows for the moment.
alter table variables no force row level security;
alter table variable_links no force row level security;
alter table audit_log no force row level security;
alter table variable_token_endpoints no force row level security;

-- A link that was used has an audit row, which names the variables that it stored.
insert into variable_token_endpoints (variable_id, workspace_id, url)
select distinct on (v.id) v.id, v.workspace_id, l.consent->>'tokenUrl'
  from variable_links l
  join audit_log a on a.workspace_id = l.workspace_id and a.caller_id = l.id and a.operation = 'set_variables_page'
  join variables v on v.workspace_id = l.workspace_id and a.subject->'variable_id' ? v.id::text
 where l.consent is not null and l.consent->>'known' is null
   and (v.name in (l.consent->>'clientIdFrom', l.consent->>'clientSecretFrom') or l.consent->'derive'->>v.name = 'refresh_token')
 order by v.id, a.at desc;

alter table variables force row level security;
alter table variable_links force row level security;
alter table audit_log force row level security;
alter table variable_token_endpoints force row level security;
