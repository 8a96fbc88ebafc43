-- Rows of boards that change: each has an id of its own choice or its uuid, a version, and stays for a while after it was deleted.
-- Needs no rewrite of the table.
set local lock_timeout = '10s';
alter table board_rows
  add column row_key text,
  add column version integer not null default 1,
  add column updated_at timestamptz,
  add column deleted_at timestamptz;

-- Until now `row_id` was a field like others. The first row with a value has it as its id, so that scripts go on finding it.
alter table board_rows no force row level security;
update board_rows set row_key = first.key, fields = fields - 'row_id' from (
  select distinct on (board_id, dataset, fields ->> 'row_id') id, fields ->> 'row_id' as key from board_rows
   where jsonb_typeof(fields -> 'row_id') in ('string', 'number') and length(fields ->> 'row_id') between 1 and 200
   order by board_id, dataset, fields ->> 'row_id', id
) as first
where first.id = board_rows.id;
alter table board_rows force row level security;

create unique index one_row_of_a_key on board_rows (board_id, dataset, row_key) where row_key is not null;
create index deleted_board_rows on board_rows (board_id, dataset, deleted_at) where deleted_at is not null;
