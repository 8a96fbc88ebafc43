-- A backup reads every table as its owner while servers run. Row level security binds the owner, too, who is often no superuser. So each
-- table has a policy for its owner alone. It is no policy of the application's role, whose plans stay as they are.

create procedure show_to_backup(target regclass) language plpgsql as $$
begin
  execute format(
    'create policy backed_up on %s for select to %I using (current_setting(''thalamus.backup'', true) = ''on'')', target, current_user);
end $$;

create or replace procedure protect(target regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy one_workspace on %s using (workspace_id = current_workspace())', target);
  call show_to_backup(target);
end $$;

create or replace procedure protect_identity(target regclass, id_column name, hash_column name default null) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy of_identity on %s using (is_presented(hash_of_id(%I)))', target, id_column);
  if hash_column is not null then
    execute format('create policy presented on %s for select using (is_presented(%I))', target, hash_column);
  end if;
  call show_to_backup(target);
end $$;

do $$
declare
  target regclass;
begin
  for target in select oid::regclass from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity loop
    call show_to_backup(target);
  end loop;
end $$;
