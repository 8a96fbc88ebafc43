-- Counts live memories by type from the index alone. The planner rather reads the whole table where most of it is one
-- brain, and asks for the workspace at each row. Row level security holds, since the caller is who asks.
create function count_live_memories(of_brains uuid[]) returns table (brain_id uuid, type text, memories bigint)
  language sql stable set enable_seqscan = off set enable_bitmapscan = off as
  $$
    select each.id, counted.type, counted.memories from unnest(of_brains) each (id), lateral (
      select memories.type, count(*) as memories from memories
        where workspace_id = current_workspace() and memories.brain_id = each.id and archived_at is null
        group by memories.type
    ) counted
  $$;
