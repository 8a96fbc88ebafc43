-- Who is told by mail of drafts that need them, and of which draft who was told.

create table notification_choices (
  person_id uuid primary key references people on delete cascade,
  workspace_id uuid not null references workspaces,
  mail text not null check (mail in ('off', 'each', 'digest')),
  changed_at timestamptz not null
);
call protect('notification_choices');

-- What a person is to be told of a draft. It is claimed before a mail goes out, so that one that may have gone never goes again.
create table draft_mails (
  draft_id uuid not null references drafts on delete cascade,
  person_id uuid not null references people on delete cascade,
  about text not null check (about in ('waiting', 'ambiguous')),
  workspace_id uuid not null references workspaces,
  created_at timestamptz not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  claimed_at timestamptz,
  sent_at timestamptz,
  primary key (draft_id, person_id, about)
);
create index on draft_mails (workspace_id, person_id, created_at) where claimed_at is null;
call protect('draft_mails');

-- A link that came with such a mail; how often somebody may ask for one is counted without it.
alter table sign_in_links add column is_asked_for boolean not null default true;

-- A permission that is new, for keys that had all there were.
alter table keys no force row level security;
update keys set scopes = scopes || array['notifications:write']
  where scopes @> array['memory:read', 'memory:write', 'brains:read', 'brains:write', 'brains:delete', 'members:write', 'pages:read',
    'integrations:read', 'integrations:fetch', 'connections:read', 'connections:write', 'variables:read', 'variables:write',
    'actions:read', 'actions:draft', 'actions:confirm', 'keys:read', 'keys:write', 'sign_in_links:create', 'policy:write',
    'workspace:admin', 'usage:read']
    and not scopes && array['notifications:write'];
alter table keys force row level security;
