-- Fills a database that a server has just made: two workspaces, 50,000 rows of each kind in each.
insert into workspaces (id, name, created_at) values ('00000000-0000-7000-8000-00000000000b', 'Other', now());
insert into people (id, workspace_id, email, name, role, created_at)
  values (gen_random_uuid(), '00000000-0000-7000-8000-00000000000b', 'other@localhost', 'Other', 'owner', now());
insert into brains (id, workspace_id, name, personal_to, created_by, created_at)
  select gen_random_uuid(), workspace_id, 'Other', id, id, now() from people where name = 'Other';

-- Forty more brains, so that a brain is a part of its workspace.
insert into brains (id, workspace_id, name, created_by, created_at)
  select gen_random_uuid(), workspace_id, 'Brain ' || n, id, now() from people, generate_series(1, 40) as n;

create temporary table places as
  select row_number() over (order by personal_to is null) - 1 as place, brains.id as brain_id, brains.workspace_id, people.id as person_id
  from brains join people on people.workspace_id = brains.workspace_id;

-- Four of five rows are in the two personal brains.
create temporary table rows as
  select n, gen_random_uuid() as id, brain_id, places.workspace_id, person_id, now() - n * interval '1 minute' as at
  from generate_series(1, 100000) as n
  join places on place = case when n % 5 < 4 then n % 2 else n % (select count(*) from places) end;

insert into memories (id, workspace_id, brain_id, content, type, salience, topics, triggers, author, occurred_at,
    stored_by, stored_by_label, created_at, archived_at)
  select id, workspace_id, brain_id, 'Memory ' || n || ' is about budget ' || n % 977 || ' and launch ' || n % 631,
    (array['decision', 'constraint', 'fact', 'preference', 'observation'])[1 + n / 10 % 5],
    case when n / 10 % 200 = 0 then 'critical' else 'normal' end, array['budget', 'launch ' || n % 631],
    case when n / 10 % 20 = 0 then '[{"condition": "working on launch", "reason": "it matters"}]'::jsonb else '[]' end,
    'Author ' || n % 12, at, person_id, 'Owner key', at, case when n / 10 % 10 = 0 then at end
  from rows;
insert into memory_links (workspace_id, source_memory_id, target_memory_id, relationship_type, created_at)
  select one.workspace_id, one.id, other.id, 'relates_to', one.at
  from rows one join rows other on other.n = one.n + 2 and other.workspace_id = one.workspace_id;
insert into memory_links (workspace_id, source_memory_id, target_memory_id, relationship_type, created_at, origin, reason)
  select one.workspace_id, one.id, other.id, 'conflicts_with', one.at, 'detected', 'It says 5 where 6 was said.'
  from rows one join rows other on other.n = one.n + 4 and other.workspace_id = one.workspace_id where one.n % 50 = 0;
insert into memory_trigger_words (memory_id, position, alternative, word, workspace_id, brain_id, stems, needed)
  select id, 0, 0, 'launch' || n % 631, workspace_id, brain_id, array['launch' || n % 631], 1 from rows where n / 10 % 20 = 0;
insert into memory_recalls (memory_id, workspace_id, recall_count, last_recalled_at)
  select id, workspace_id, n % 97, at from rows where n % 3 = 0;
insert into memory_recall_days (brain_id, day, workspace_id, recalls)
  select brain_id, current_date - day, workspace_id, 5 from places, generate_series(0, 364) as day;
insert into memory_duplicates (memory_id, duplicate_of, workspace_id, brain_id, kind, similarity, found_at)
  select one.id, other.id, one.workspace_id, one.brain_id, 'near', 0.9, one.at
  from rows one join rows other on other.n = one.n + 2 and other.workspace_id = one.workspace_id where one.n % 10 = 0;
insert into memory_constellations (id, workspace_id, brain_id, label, topics, memory_count, created_at)
  select gen_random_uuid(), workspace_id, brain_id, 'Launch ' || number, array['launch'], 100, now() from places, generate_series(1, 40) as number;
insert into memory_constellation_members (memory_id, constellation_id, workspace_id)
  select rows.id, constellation.id, rows.workspace_id from rows join memory_constellations constellation
    on constellation.brain_id = rows.brain_id and constellation.label = 'Launch ' || (n / 10 % 40 + 1);
insert into memory_sessions (id, workspace_id, brain_id, person_id, opened_by, started_at, summary)
  select gen_random_uuid(), workspace_id, brain_id, person_id, 'Owner key', at, case when n / 10 % 10 = 0 then 'Done' end
  from rows;
insert into pages (id, workspace_id, brain_id, slug, type, title, body, frontmatter, source, source_ref, content_hash,
    occurred_at, created_at, updated_at)
  select id, workspace_id, brain_id, 'page-' || n, case when n % 2 = 0 then 'email' else 'calendar_event' end,
    'Page ' || n, 'About budget ' || n % 977, jsonb_build_object('subject', 'Budget ' || n % 977), 'gmail:a@example.com',
    'ref-' || n, 'hash', at, at, at
  from rows;
insert into connections (id, workspace_id, person_id, provider, account_id, account, known_as, scopes, status, connected_at, updated_at)
  select gen_random_uuid(), workspace_id, id, 'google', 'a', 'a@example.com', 'a@example.com', '{}', 'active', now(), now() from people;
insert into drafts (id, workspace_id, brain_id, person_id, connection_id, account, source, action, payload, payload_hash, drafted_hash,
    preview, notify_targets, drafted_by, drafted_by_label, status, settled_at, created_at, expires_at)
  select rows.id, rows.workspace_id, brain_id, rows.person_id, connections.id, 'a@example.com', 'gmail', 'send_email',
    '{}', 'hash ' || n, 'hash ' || n, '{"title": "Mail", "fields": [], "isComplete": true}', '{}', rows.person_id, 'Owner key', case when n <= 200 then 'pending' else 'expired' end,
    case when n > 200 then at end, at, at + interval '7 days'
  from rows join connections on connections.workspace_id = rows.workspace_id;
insert into draft_ledger (draft_id, seq, workspace_id, at, step, detail, previous_hash, hash)
  select id, 1, workspace_id, at, 'drafted', '{}', '', '' from rows;
insert into events (id, workspace_id, at, name, payload, brain_id)
  select gen_random_uuid(), workspace_id, at, 'memory.stored', '{}', brain_id from rows;
insert into audit_log (id, workspace_id, at, caller_kind, caller_id, person_id, operation, request_id, subject)
  select gen_random_uuid(), workspace_id, at, 'key', person_id, person_id, 'add_memory', 'x', '{}' from rows;
insert into kept_answers (workspace_id, caller_id, operation, key, request_hash, output, created_at)
  select workspace_id, person_id, 'add_memory', 'key ' || n, 'hash', '{}', at from rows;
