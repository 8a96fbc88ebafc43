-- PDF and Office files are read by a job of their own: whether the words of a file are still to be read, are there, or cannot be read.
alter table attachments add column text_state text not null default 'none'
  check (text_state in ('none', 'awaited', 'read', 'failed'));
create index on attachments (workspace_id, updated_at) where text_state = 'awaited';

-- Files that were stored before are read, too. The owner of the tables is not above their policies, so this lifts one.
alter table attachments no force row level security;
update attachments set text_state = 'read' where text is not null;
update attachments set text_state = 'awaited'
 where state = 'stored' and text is null
   and (filename ~* '\.(pdf|docx?|pptx|xlsx|odt|rtf)$'
     or mime_type ~* '^(application/(pdf|msword|rtf|vnd\.openxmlformats-officedocument|vnd\.oasis\.opendocument\.text)|text/rtf)');
alter table attachments force row level security;
