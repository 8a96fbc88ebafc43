-- Rules of a key: they narrow what the workspace's policy lets it do. A draft keeps those of the key that made it.
alter table keys add column rules jsonb not null default '[]';
alter table drafts add column own_rules jsonb not null default '[]';
