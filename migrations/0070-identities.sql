-- Identities stand above workspaces: an identity signs in, and is a person in any number of workspaces. Its rows name no workspace.
-- Each is visible only to a transaction that presents its hash (decision 13), and none is ever listed.

-- Whether the transaction presents this hash; several are separated by commas.
create function is_presented(hash text) returns boolean language sql stable parallel safe as
  $$ select hash = any (string_to_array(current_setting('thalamus.presented_hash', true), ',')) $$;
create function hash_of_id(id uuid) returns text language sql immutable parallel safe as
  $$ select encode(sha256(uuid_send(id)), 'hex') $$;
create function hash_of_address(email text) returns text language sql immutable parallel safe as
  $$ select encode(sha256(convert_to('address ' || lower(email), 'UTF8')), 'hex') $$;

-- Rows of an identity: the identity sees and changes them; `hash_column` also shows a row to whoever presents it.
create procedure protect_identity(target regclass, id_column name, hash_column name default null) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy of_identity on %s using (is_presented(hash_of_id(%I)))', target, id_column);
  if hash_column is not null then
    execute format('create policy presented on %s for select using (is_presented(%I))', target, hash_column);
  end if;
end $$;

create table identities (
  id uuid primary key,
  name text not null,
  -- It was made by a link that somebody handed over. Whoever proves an address of it first takes it over.
  is_handed_over boolean not null default false,
  created_at timestamptz not null
);

-- Addresses that an identity has proved to have; one identity for each address.
create table identity_addresses (
  address_hash text primary key generated always as (hash_of_address(email)) stored,
  email text not null check (email = lower(email)),
  identity_id uuid not null references identities on delete cascade,
  proved_at timestamptz not null
);
create index on identity_addresses (identity_id);

-- Everybody who is here becomes an identity of their own. Nobody has proved an address yet.
alter table people no force row level security;
alter table people add column identity_id uuid, add column removed_at timestamptz,
  add column address_hash text generated always as (hash_of_address(email)) stored;
update people set identity_id = gen_random_uuid();
insert into identities (id, name, created_at) select identity_id, name, created_at from people;
alter table people alter column identity_id set not null, add foreign key (identity_id) references identities;
alter table people force row level security;
call protect_identity('identities', 'id');
call protect_identity('identity_addresses', 'identity_id', 'address_hash');

-- A person that is made without an identity gets a new one.
create function give_identity() returns trigger language plpgsql as $$
declare
  presented text := coalesce(current_setting('thalamus.presented_hash', true), '');
begin
  new.identity_id := gen_random_uuid();
  perform set_config('thalamus.presented_hash', hash_of_id(new.identity_id), true);
  insert into identities (id, name, created_at) values (new.identity_id, new.name, new.created_at);
  perform set_config('thalamus.presented_hash', presented, true);
  return new;
end $$;
create trigger give_identity before insert on people for each row when (new.identity_id is null) execute function give_identity();

-- Somebody who was removed stays as the author of what they stored. Their address is free for somebody else.
alter table people drop constraint people_workspace_id_email_key;
drop index one_person_for_an_address;
create unique index one_person_for_an_address on people (workspace_id, lower(email)) where removed_at is null;
create unique index one_person_of_an_identity on people (workspace_id, identity_id);
create index on people (identity_id);
create index on people (address_hash);
create policy presented on people for select using (is_presented(hash_of_id(identity_id)) or is_presented(address_hash));

-- A session is one identity in one workspace.
alter table sessions no force row level security;
alter table people no force row level security;
alter table sessions
  add column identity_id uuid references identities,
  -- How it was opened; null for sessions that are older than this column.
  add column method text,
  -- When the person last proved who they are in it.
  add column proved_at timestamptz;
update sessions set identity_id = people.identity_id from people where people.id = sessions.person_id;
alter table sessions alter column identity_id set not null;
alter table people force row level security;
alter table sessions force row level security;
create index on sessions (identity_id) where revoked_at is null;
create policy of_identity on sessions for select using (is_presented(hash_of_id(identity_id)));
create policy ended_by_identity on sessions for update using (is_presented(hash_of_id(identity_id)));

alter table sign_in_links
  -- A link that opens another session of somebody who is signed in proves nothing anew.
  add column proved_at timestamptz,
  -- Whoever opens it may make an identity and a workspace of their own.
  add column signs_up boolean not null default false;

-- People who were invited to the workspace and have not joined yet.
create table invitations (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  email text not null check (email = lower(email)),
  address_hash text generated always as (hash_of_address(email)) stored,
  role text not null check (role in ('admin', 'member')),
  invited_by uuid not null references people,
  created_at timestamptz not null,
  unique (workspace_id, email)
);
create index on invitations (address_hash);
call protect('invitations');
create policy presented on invitations for select using (is_presented(address_hash));
alter table brain_invitations add column address_hash text generated always as (hash_of_address(email)) stored;
create index on brain_invitations (address_hash);
create policy presented on brain_invitations for select using (is_presented(address_hash));

-- Deletes the workspace that the transaction is bound to, and all that it has. What an external vault still has to forget stays until
-- it is forgotten; the workspace is then deleted by another call.
create function delete_current_workspace() returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ended constant uuid := current_workspace();
  target regclass;
  blocked integer;
  blocked_before integer := null;
begin
  if ended is null then
    raise exception 'no workspace is bound';
  end if;
  loop
    blocked := 0;
    for target in
      select pg_class.oid::regclass from pg_class join pg_attribute on attrelid = pg_class.oid
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
         and attname = 'workspace_id' and not attisdropped and relname <> 'secrets_to_forget'
    loop
      begin
        execute format('delete from %s where workspace_id = $1', target) using ended;
      exception when foreign_key_violation then
        blocked := blocked + 1; -- what points to it goes first
      end;
    end loop;
    exit when blocked = 0;
    if blocked = blocked_before then
      raise exception 'rows of % tables cannot be deleted', blocked;
    end if;
    blocked_before := blocked;
  end loop;
  if not exists (select from secrets_to_forget where workspace_id = ended) then
    delete from workspaces where id = ended;
  else
    update workspaces set name = '', ended_at = now() where id = ended;
  end if;
end $$;
alter table workspaces add column ended_at timestamptz;
