-- What the pages of a conversation are known by. It stays when the conversation moves to another server with new ids, so that later turns
-- go on in the same page.
alter table chat_sessions add column page_ref uuid;
alter table chat_sessions no force row level security;
update chat_sessions set page_ref = id;
alter table chat_sessions force row level security;
alter table chat_sessions alter column page_ref set not null;
create index on chat_sessions (brain_id, session_id);
