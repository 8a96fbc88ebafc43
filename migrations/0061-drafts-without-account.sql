-- A request to an address goes through no linked account: a draft of one names its host as the account, and no connection.
alter table drafts alter column connection_id drop not null;
