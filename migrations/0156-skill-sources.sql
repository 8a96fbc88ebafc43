-- The document that a skill was made of. A skill outlives it, and then names none.

alter table skills add column source_document_id uuid references documents on delete set null;

-- Documents stay for a week after they are deleted, so the foreign key alone is too late.
create function forget_source() returns trigger language plpgsql as $$
begin
  update skills set source_document_id = null where source_document_id = new.id;
  return null;
end $$;
create trigger forget_source after update of deleted_at on documents for each row
  when (new.deleted_at is not null) execute function forget_source();
