-- What may be done outside, and who has to say yes: a list of rules for each workspace, and every list that there was.

create table policies (
  workspace_id uuid not null references workspaces,
  version integer not null check (version > 0),
  -- Read in order; the first that matches answers.
  rules jsonb not null,
  -- Read likewise; what they answer, no rule and no grant makes less strict.
  floor jsonb not null,
  changed_by uuid not null references people,
  changed_at timestamptz not null,
  primary key (workspace_id, version)
);
call protect('policies');
revoke update, delete on policies from thalamus_app;

alter table drafts no force row level security;
alter table drafts
  -- What the policy answered when it was drafted; the draft's hash binds it.
  add column policy jsonb,
  -- As what its caller came, for the policy to be asked once more.
  add column drafted_by_kind text,
  -- Made because nobody could know what became of that one.
  add column follows_id uuid references drafts;
alter table drafts force row level security;

-- What a person said to a prompt, once for each draft.
create table inbox_acks (
  draft_id uuid not null references drafts,
  person_id uuid not null references people,
  workspace_id uuid not null references workspaces,
  decision text not null check (decision in ('approved', 'declined', 'auto')),
  at timestamptz not null,
  primary key (draft_id, person_id)
);
call protect('inbox_acks');
