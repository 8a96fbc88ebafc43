-- What is embedded: memories, pages, and the constellations of documents, by the title of their document and the text of their passages.

create view embeddable with (security_invoker) as
  select workspace_id, brain_id, id, title, body, md5(coalesce(title, '') || chr(10) || body) as text_hash, changed_xact, is_live
  from searchable
  union all
  -- A stored document never changes, so its text is not read to compare it. The embedder takes about as much as 48 passages.
  select documents.workspace_id, documents.brain_id, constellation.id, documents.title,
    coalesce((select string_agg(text, E'\n\n' order by position) from (
      select text, position from document_passages
      where document_id = documents.id and constellation_id = constellation.id
      order by position limit 48) as first_passages), ''),
    md5(documents.title || chr(10) || constellation.id), documents.changed_xact, documents.deleted_at is null
  from document_constellations as constellation join documents on documents.id = constellation.document_id;
grant select on embeddable to thalamus_app;

-- A deleted constellation is in no view, so its vectors go with it. Their rows stay, to tell indexes in memory.
create function drop_vectors() returns trigger language plpgsql as $$
begin
  delete from embedding_queue where item_id = old.id;
  update embeddings set code = null where item_id = old.id and code is not null;
  return null;
end $$;
create trigger drop_vectors after delete on document_constellations for each row execute function drop_vectors();

-- Documents from before are embedded too. The owner of the tables is not above their policies, so this lifts one.
alter table embedding_runs no force row level security;
update embedding_runs set seen = null;
alter table embedding_runs force row level security;
