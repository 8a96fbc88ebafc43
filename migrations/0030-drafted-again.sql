-- Which draft stands for another one is looked up by that one.
create index drafts_follows on drafts (follows_id) where follows_id is not null;
