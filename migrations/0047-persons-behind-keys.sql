-- The person for whom a memory was corrected, beside the key that did it. Nobody knows it of earlier versions.
alter table memory_versions add column replaced_by uuid references people;
