-- How many deliveries go to a destination in a minute. A feed is read, so it has no pace.

alter table output_destinations add column max_per_minute integer default 6000 check (max_per_minute between 1 and 60000);
update output_destinations set max_per_minute = null where kind = 'feed';
alter table output_destinations add constraint webhooks_have_a_pace check (kind <> 'webhook' or max_per_minute is not null);

-- Apart from the destinations, whose rows are locked by what changes them.
create table output_paces (
  destination_id uuid primary key references output_destinations on delete cascade,
  workspace_id uuid not null references workspaces,
  -- Before this time none is sent.
  next_at timestamptz not null,
  -- How many the last asking got.
  granted integer not null
);
call protect('output_paces');
create policy listed_by_system on output_paces for select using (current_setting('thalamus.system', true) = 'on');
