-- Pairs of questions and answers that were imported to train models with.

create table training_pairs (
  document_id uuid not null references documents on delete cascade,
  position int not null,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains on delete cascade,
  -- Messages before the answer: [{role, content}].
  prompt jsonb not null,
  answer text not null,
  -- Of a preference: the answer that is worse.
  rejected text,
  created_at timestamptz not null,
  primary key (document_id, position)
);
create index on training_pairs (workspace_id, brain_id, document_id, position);
call protect('training_pairs');
