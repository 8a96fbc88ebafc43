-- Whether the action of a draft is destructive, as it was drafted: mails and phones say so in words. Null: drafted before this was kept.
set local lock_timeout = '10s';
alter table drafts add column is_destructive boolean;
