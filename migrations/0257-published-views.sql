-- Views by which a module shows others some columns of its tables. They are read with the rights of the reader, under row level security,
-- and nobody writes through them.
set local lock_timeout = '10s';

create view people_directory with (security_invoker) as
  select id, workspace_id, name, email, role, removed_at, hash_of_id(identity_id) as identity_hash from people;
create view key_directory with (security_invoker) as
  select id, workspace_id, person_id, label from keys;

create view brain_directory with (security_invoker) as
  select id, workspace_id, name, language, personal_to from brains;
create view brain_invitees with (security_invoker) as
  select id, workspace_id, brain_id, email, address_hash, access_level, invited_by, made_by_key, created_at from brain_invitations;

create view stored_memories with (security_invoker) as
  select id, workspace_id, brain_id, type, content, topics, triggers, source, stored_by, created_at, archived_at, superseded_by
  from memories;
-- Each live memory that another one is in conflict with, from both sides. A contradiction that a person dismissed is none.
create view memory_conflicts with (security_invoker) as
  select link.memory_id, link.workspace_id, link.other_id
  from (
    select source_memory_id as memory_id, target_memory_id as other_id, workspace_id, kind, source_memory_id as first_id, target_memory_id as second_id
      from memory_links where relationship_type = 'conflicts_with'
    union all
    select target_memory_id, source_memory_id, workspace_id, kind, source_memory_id, target_memory_id
      from memory_links where relationship_type = 'conflicts_with'
  ) as link join memories as other on other.id = link.other_id
  where other.archived_at is null and other.superseded_by is null
    and not is_dismissed_contradiction(link.first_id, link.second_id, link.kind);

create view document_directory with (security_invoker) as
  select id, workspace_id, brain_id, deleted_at from documents;
create view learned_questions with (security_invoker) as
  select id, workspace_id, document_id, memory_id, question from document_lessons;
create view searchable_documents with (security_invoker) as
  select id, workspace_id, brain_id, changed_xact, deleted_at is null and replaced_by is null as is_live from documents;
create view searchable_passages with (security_invoker) as
  select documents.workspace_id, document_id, constellation_id, title, text, position, line_start, line_end
  from document_passages join documents on documents.id = document_id
  where deleted_at is null and replaced_by is null;
create view searchable_vectors with (security_invoker) as
  select item_id, part, workspace_id, brain_id, space, code, changed_xact from embeddings;

create view draft_directory with (security_invoker) as
  select id, workspace_id, settled_at from drafts;

revoke insert, update, delete on people_directory, key_directory, brain_directory, brain_invitees, stored_memories, memory_conflicts, document_directory,
  learned_questions, searchable_documents, searchable_passages, searchable_vectors, draft_directory from thalamus_app;
