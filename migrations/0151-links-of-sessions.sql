-- The session in which a person made a sign-in link. The link ends with that session, but not with the workspace of it: whoever deletes
-- a workspace goes on in another one by such a link. Sessions are deleted with their workspace alone.
alter table sign_in_links add column made_by_session uuid references sessions on delete set null;
create index on sign_in_links (made_by_session) where made_by_session is not null;
