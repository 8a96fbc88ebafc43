-- What a provider in trouble has kept from being read, and in how many readings: it is tried again, until that is enough.
alter table syncs add column trouble jsonb not null default '{}';
