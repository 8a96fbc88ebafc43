-- The provider through whose account a link is read, which stays with the link where the account does not: links move with
-- archives, accounts do not.
set local lock_timeout = '10s';
alter table board_links add column integration_provider text check (length(integration_provider) between 1 and 100);
alter table board_links no force row level security;
alter table connections no force row level security;
update board_links set integration_provider = connections.provider from connections where connections.id = board_links.connection_id;
alter table board_links force row level security;
alter table connections force row level security;
