-- The session in which a person made a sign-in link. The link ends with that session.
alter table sign_in_links add column made_by_session uuid references sessions on delete cascade;
create index on sign_in_links (made_by_session) where made_by_session is not null;
