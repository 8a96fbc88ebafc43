-- A document that is uploaded again under its name takes the place of the former one, which is found no more and kept until its successor
-- is deleted.
set local lock_timeout = '10s';
alter table documents add column replaced_by uuid;
create index on documents (replaced_by) where replaced_by is not null;
