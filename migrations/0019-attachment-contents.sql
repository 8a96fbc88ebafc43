-- The bytes of a file are written while they come, before it is known what they are: a content has an id from its beginning, and
-- its hash once it is whole. Without one it is seen by nobody, and removed some time after nothing was added to it any more.

alter table attachments drop constraint attachments_workspace_id_sha256_fkey;
alter table attachment_parts drop constraint attachment_parts_workspace_id_sha256_fkey;
alter table attachment_parts drop constraint attachment_parts_pkey;
alter table attachment_contents drop constraint attachment_contents_pkey;

alter table attachment_contents add column id uuid not null default gen_random_uuid();
alter table attachment_contents alter column id drop default;
alter table attachment_contents alter column sha256 drop not null;
alter table attachment_contents add primary key (id);
alter table attachment_contents add unique (workspace_id, sha256);

alter table attachment_parts add column content_id uuid;
-- The owner of the tables is not above their policies, so this lifts one.
alter table attachment_contents no force row level security;
alter table attachment_parts no force row level security;
update attachment_parts as part set content_id = content.id
  from attachment_contents as content
 where content.workspace_id = part.workspace_id and content.sha256 = part.sha256;
alter table attachment_contents force row level security;
alter table attachment_parts force row level security;
alter table attachment_parts drop column sha256;
alter table attachment_parts alter column content_id set not null;
alter table attachment_parts add primary key (content_id, position);
alter table attachment_parts add foreign key (content_id) references attachment_contents on delete cascade;

alter table attachments add foreign key (workspace_id, sha256) references attachment_contents (workspace_id, sha256);

-- Most files are compressed already, and a slice of a part is read without the rest of it.
alter table attachment_parts alter column bytes set storage external;
