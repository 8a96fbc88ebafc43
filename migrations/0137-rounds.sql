-- Which workspaces a round has to visit. Each function reads every workspace and answers ids of workspaces alone, to work of the server
-- itself. The policies show the rows to the owner of these functions, so the role of the application sees no row of another workspace.

create function is_system() returns boolean language sql stable parallel safe as
  $$ select coalesce(current_setting('thalamus.system', true) = 'on', false) $$;

create procedure show_to_rounds(target regclass) language plpgsql as $$
begin
  execute format('create policy visited_by_rounds on %s for select to %I using (is_system())', target, current_user);
end $$;

call show_to_rounds('drafts');
call show_to_rounds('syncs');
call show_to_rounds('output_deliveries');
call show_to_rounds('webhook_events');
call show_to_rounds('blobs');
call show_to_rounds('documents');
call show_to_rounds('attachments');
call show_to_rounds('telegram_bots');
call show_to_rounds('connections');
call show_to_rounds('chat_sessions');
call show_to_rounds('brains');
call show_to_rounds('memories');
call show_to_rounds('memory_gatherings');

create index drafts_to_expire on drafts (expires_at) where status = 'pending';
create index syncs_due on syncs (next_at) where status <> 'stopped';
create index deliveries_with_payload on output_deliveries (created_at) where payload is not null and status <> 'waiting';
create index words_awaited on attachments (updated_at) where text_state = 'awaited' and state = 'stored';
create index chats_untold on chat_sessions (last_turn_at) where titled_by <> 'given' and turns_told < turns;

create function workspaces_with_overdue_drafts() returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct workspace_id from drafts where is_system() and status = 'pending' and expires_at <= now()
$$;

create function workspaces_with_due_syncs() returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct workspace_id from syncs
   where is_system() and status <> 'stopped' and next_at <= now() and (lease_until is null or lease_until < now())
$$;

create function workspaces_with_old_deliveries(before timestamptz) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct workspace_id from output_deliveries
   where is_system() and created_at < before and status <> 'waiting' and payload is not null
$$;

create function workspaces_with_old_webhook_events(before timestamptz) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select workspace_id from webhook_events
   where is_system() and received_at < before and outcome in ('refused', 'signature_failed')
  union
  select workspace_id from webhook_events
   where is_system() and received_at < before and outcome <> 'received'
     and (body is not null or headers <> '{}' or query <> '{}')
$$;

create function workspaces_with_unused_blobs(before timestamptz) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct workspace_id from blobs
   where is_system() and kept_at < before and not exists (
     select from documents
      where documents.workspace_id = blobs.workspace_id and documents.sha256 = blobs.sha256 and deleted_at is null)
$$;

create function workspaces_with_left_words(before timestamptz) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct workspace_id from attachments
   where is_system() and text_state = 'awaited' and state = 'stored' and updated_at < before
$$;

-- Bots of accounts that were disconnected and are connected again.
create function workspaces_with_returned_bots() returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct telegram_bots.workspace_id from telegram_bots join connections on connections.id = connection_id
   where is_system() and telegram_bots.status = 'ended' and connections.status = 'active'
$$;

create function workspaces_with_untold_chats(rested_since timestamptz) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct workspace_id from chat_sessions
   where is_system() and last_turn_at < rested_since and titled_by <> 'given' and turns_told < turns
$$;

-- Brains whose memories may have changed enough to gather them: `fewest` in a brain that was never gathered, `many` in another, or any
-- change in one that was gathered before `waited_since`.
create function workspaces_to_gather(fewest integer, many integer, waited_since timestamptz) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct brains.workspace_id
    from brains left join memory_gatherings gathering on gathering.brain_id = brains.id
    cross join lateral (
      select case when gathered_at is null then fewest when gathered_at <= waited_since then 1 else many end as enough) needed
    cross join lateral (
      select count(*) as changes from (
        (select from memories
          where memories.workspace_id = brains.workspace_id and memories.brain_id = brains.id and archived_at is null
            and memories.created_at > coalesce(gathered_at, '-infinity') limit many)
        union all
        (select from memories
          where memories.workspace_id = brains.workspace_id and memories.brain_id = brains.id and archived_at > gathered_at
          limit many)) changed) counted
   where is_system() and changes >= enough
$$;
