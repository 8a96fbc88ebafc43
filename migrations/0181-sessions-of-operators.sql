-- Links that the operator's terminal shows, and the sessions that they open: their person has the machine of the server.
set local lock_timeout = '10s';
alter table sign_in_links add column by_operator boolean not null default false;
alter table sessions add column by_operator boolean not null default false;
