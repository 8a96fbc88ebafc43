-- Items of a synced account that are left out, wholly or in part: purpose `left_out`, with the reason as their list.
set lock_timeout = '5s';
alter table item_locations drop constraint item_locations_purpose_check;
alter table item_locations add constraint item_locations_purpose_check
  check (purpose in ('listed', 'met', 'moved', 'left_out')) not valid;
