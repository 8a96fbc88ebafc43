-- What a provider knows of a draft: in which ways what it touches is called there, whom it reaches, hashes of what it would
-- overwrite, or why nothing of that could be looked up.
alter table drafts no force row level security;
update drafts
  set target = jsonb_build_object(
    'names', '[]'::jsonb, 'people', null, 'shown', '[]'::jsonb, 'overwrites', target, 'missing', null)
  where target is not null;
alter table drafts force row level security;

-- Drafts whose effect could be taken for that of another one, where a provider keeps no handle.
create index on drafts (workspace_id, connection_id, action, send_started_at) where send_started_at is not null;
