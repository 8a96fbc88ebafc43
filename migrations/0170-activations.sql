-- What a person activated last of an automation. An agent's change of an automation that was ever active waits for a person,
-- and who activates it again sees what differs.

set local lock_timeout = '10s';
alter table automations
  -- Null: nobody ever activated it.
  add column activated_at timestamptz,
  add column activated_by_label text,
  -- Its version and its settings as they were then. Null: not recorded.
  add column activated jsonb;

-- The owner of the tables fills them, so row level security must let the owner see all rows for the moment.
alter table automations no force row level security;
alter table automation_http_fetch_hosts no force row level security;
alter table automation_runs no force row level security;

update automations a set
  activated_at = a.updated_at,
  activated = jsonb_build_object('version_id', a.active_version_id, 'settings', jsonb_build_object(
    'name', a.name, 'description', a.description, 'intent', a.intent, 'tool_grants', a.tool_grants, 'triggers', a.triggers,
    'cost_cap_daily_usd', a.cost_cap_daily_usd, 'max_wall_seconds', a.max_wall_seconds, 'max_llm_tokens', a.max_llm_tokens,
    'model', a.model, 'write_policy', a.write_policy, 'overlap', a.overlap, 'max_retries', a.max_retries,
    'hosts', (select coalesce(jsonb_agg(h.host order by h.host collate "C"), '[]') from automation_http_fetch_hosts h where h.automation_id = a.id)))
 where a.state = 'active';
-- A run without a starter began by itself, which only an active automation does.
update automations a set activated_at = a.updated_at
 where a.state = 'paused' and exists (select from automation_runs r where r.automation_id = a.id and r.starter is null);

alter table automations force row level security;
alter table automation_http_fetch_hosts force row level security;
alter table automation_runs force row level security;
