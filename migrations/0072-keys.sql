-- Keys are replaced without a gap, paused, and known by the places that they are used from.
alter table keys
  -- The key before the last rotation, which works until then.
  add column previous_hash text unique,
  add column previous_until timestamptz,
  add column paused_at timestamptz;
create policy presented_before on keys for select using (previous_hash = current_setting('thalamus.presented_hash', true));

create table key_places (
  key_id uuid not null references keys on delete cascade,
  workspace_id uuid not null references workspaces,
  -- A network address, without what changes within one network.
  place text not null,
  first_used_at timestamptz not null,
  primary key (key_id, place)
);
call protect('key_places');
