-- Files that people and agents upload: their words in passages, and what they are about in constellations.

-- Originals that are kept in the blob store, once for a workspace however often they came.
create table blobs (
  workspace_id uuid not null references workspaces,
  sha256 bytea not null,
  size bigint not null,
  kept_at timestamptz not null,
  primary key (workspace_id, sha256)
);
call protect('blobs');

create table documents (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains on delete cascade,
  title text not null,
  filename text,
  mime_type text not null,
  format text not null,
  sha256 bytea not null,
  size bigint not null,
  characters int not null,
  lines int not null,
  passages int not null,
  pages int,
  -- How often somebody stored what they learned from it.
  reference_count int not null default 0,
  -- 1 for what was uploaded to be read; 0.1 for imported training data.
  weight real not null default 1,
  created_by text not null,
  person_id uuid references people on delete set null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  changed_xact xid8 not null default pg_current_xact_id()
);
create index on documents (workspace_id, brain_id, created_at desc, id desc) where deleted_at is null;
create index on documents (workspace_id, changed_xact);
create index on documents (workspace_id, sha256);
call protect('documents');

create table document_constellations (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  document_id uuid not null references documents on delete cascade,
  position int not null,
  label text not null,
  topics text[] not null,
  line_ranges jsonb not null,
  passages int not null
);
create index on document_constellations (document_id, position);
call protect('document_constellations');

create table document_passages (
  document_id uuid not null references documents on delete cascade,
  position int not null,
  workspace_id uuid not null references workspaces,
  constellation_id uuid not null,
  text text not null,
  line_start int not null,
  line_end int not null,
  -- It goes on in the middle of the line that the passage before ends in.
  continues boolean not null,
  primary key (document_id, position)
);
create index on document_passages (document_id, line_end, position);
call protect('document_passages');

-- Lines that somebody read of late: what they store next may have been learned from them.
create table document_reads (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  document_id uuid not null references documents on delete cascade,
  person_id uuid not null references people on delete cascade,
  line_start int not null,
  line_end int not null,
  read_at timestamptz not null
);
create index on document_reads (workspace_id, person_id, read_at desc);
call protect('document_reads');

-- What was learned: a question, its answer, and where the answer is from.
create table document_lessons (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  document_id uuid not null references documents on delete cascade,
  memory_id uuid not null references memories on delete cascade,
  line_start int not null,
  line_end int not null,
  question text not null,
  answer text not null,
  created_at timestamptz not null,
  unique (document_id, memory_id)
);
create index on document_lessons (workspace_id, document_id);
call protect('document_lessons');
