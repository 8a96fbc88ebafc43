-- Contradictions can be dismissed for good: one pair, or every one of a kind in a brain.
set local lock_timeout = '10s';

alter table memory_links add column kind text;
alter table memory_links add constraint memory_links_kind
  check (kind in ('replacement', 'number', 'opposite', 'negation', 'value')) not valid;

-- Those that were detected before say their kind only in their reason. Each was found by one of these sentences.
alter table memory_links no force row level security;
alter table memories no force row level security;
update memory_links set kind = case
    when reason like 'It says that «%» was replaced.' then 'replacement'
    when reason in ('It denies what was said.', 'It affirms what was denied.') then 'negation'
    when reason like 'It says «%» where «%» was said.' then 'opposite'
    when reason ~ '^It says \d' then 'number'
    else 'value' end
  where relationship_type = 'conflicts_with' and origin = 'detected';
-- Items of one source and series, such as the readings of a feed, are all true at their times.
delete from memory_links link using memories one, memories other
  where link.relationship_type = 'conflicts_with' and link.origin = 'detected'
    and one.id = link.source_memory_id and other.id = link.target_memory_id
    and one.source = other.source and one.author is not distinct from other.author
    and coalesce(one.role, 'other') = 'other' and coalesce(other.role, 'other') = 'other';
alter table memories force row level security;
alter table memory_links force row level security;

-- A pair in either order, or a kind in a brain.
create table dismissed_contradictions (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains on delete cascade,
  memory_id uuid references memories on delete cascade,
  other_id uuid references memories on delete cascade,
  kind text check (kind in ('replacement', 'number', 'opposite', 'negation', 'value')),
  dismissed_at timestamptz not null,
  dismissed_by_label text not null,
  check (num_nonnulls(memory_id, other_id) = case when kind is null then 2 else 0 end)
);
create unique index dismissed_pairs on dismissed_contradictions (least(memory_id, other_id), greatest(memory_id, other_id)) where kind is null;
create index on dismissed_contradictions (memory_id) where kind is null;
create unique index on dismissed_contradictions (brain_id, kind) where kind is not null;
create index on dismissed_contradictions (other_id) where kind is null;
create index on dismissed_contradictions (workspace_id, brain_id);
call protect('dismissed_contradictions');

-- Whether a contradiction between two memories was dismissed, alone or with its kind. The kind counts in the brain of the first.
create function is_dismissed_contradiction(first_id uuid, second_id uuid, kind_of_link text) returns boolean
  language sql stable return
  exists (select from dismissed_contradictions d
      where d.kind is null and least(d.memory_id, d.other_id) = least(first_id, second_id)
        and greatest(d.memory_id, d.other_id) = greatest(first_id, second_id))
    or (kind_of_link is not null and exists (select from dismissed_contradictions d
      where d.kind = kind_of_link and d.brain_id = (select brain_id from memories where id = first_id)));
