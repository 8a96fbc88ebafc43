-- What was uninstalled waits some days for its recovery. Until then row level security hides it from every query of the product, so that
-- no list, run, export or search has to leave it out by itself.
set local lock_timeout = '10s';

-- Hides the uninstalled rows of a table, except in work that recovers or removes them.
create procedure hide_uninstalled(target regclass) language plpgsql as $$
begin
  execute format(
    'create policy installed on %s as restrictive to thalamus_app using (uninstalled_at is null or current_setting(''thalamus.uninstalled'', true) = ''on'')',
    target);
end $$;
call hide_uninstalled('boards');
call hide_uninstalled('automations');
call hide_uninstalled('workflows');
call hide_uninstalled('recipe_installs');

-- Hides the rows of uninstalled boards, in a table where they are found without their board. Without a workspace no board is visible: what
-- is found there by a hash or by the rounds is read again within its workspace.
create procedure hide_of_uninstalled_boards(target regclass) language plpgsql as $$
begin
  execute format(
    'create policy of_installed_board on %s as restrictive to thalamus_app using (current_workspace() is null or exists (select from boards where boards.id = board_id))',
    target);
end $$;
call hide_of_uninstalled_boards('board_links');
call hide_of_uninstalled_boards('dataset_recipes');

-- A name is free again once its board or automation was uninstalled.
create unique index one_installed_board_of_a_name on boards (brain_id, lower(name)) where uninstalled_at is null;
drop index one_board_of_a_name;
create unique index one_installed_automation_of_a_name on automations (workspace_id, person_id, name)
  where state <> 'killed' and uninstalled_at is null;
drop index automations_workspace_id_person_id_name_idx;

create index on boards (uninstalled_at) where uninstalled_at is not null;
create index on automations (uninstalled_at) where uninstalled_at is not null;
create index on workflows (uninstalled_at) where uninstalled_at is not null;
