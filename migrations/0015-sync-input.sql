-- What a source is told besides, such as where the items of an http_json service stand.
alter table syncs add column input jsonb not null default '{}';
