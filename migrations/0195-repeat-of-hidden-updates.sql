-- Where the owner of the tables is no superuser, row level security hid all rows from the updates of 0144, 0146 and 0158. They run
-- again here, with the owner let through. Where they did run, nothing is changed.
set local lock_timeout = '10s';

-- Of 0146: a delivery without its key would be taken twice. Where several events have one id, the first has the key.
alter table webhook_events no force row level security;
update webhook_events set delivery_key = delivery_id from (
  select id, row_number() over (partition by connector_id, delivery_id order by received_at, id) as place from webhook_events
   where delivery_key is null and delivery_id is not null and outcome not in ('signature_failed', 'refused', 'duplicate')
) as ranked
where ranked.id = webhook_events.id and place = 1 and not exists (
  select from webhook_events other where other.connector_id = webhook_events.connector_id
    and other.delivery_key = webhook_events.delivery_id and other.outcome not in ('signature_failed', 'refused', 'duplicate'));
alter table webhook_events force row level security;

-- Of 0158: a feed is read, so it has no pace.
alter table output_destinations no force row level security;
update output_destinations set max_per_minute = null where kind = 'feed' and max_per_minute is not null;
alter table output_destinations force row level security;

-- Of 0144: automations that wait for events keep that events wait. One that was changed since keeps what was chosen.
alter table automations no force row level security;
do $$
declare
  applied timestamptz;
begin
  if to_regclass('kysely_migration') is not null then
    execute 'select timestamp::timestamptz from kysely_migration where name = ''0144-events-wait''' into applied;
  end if;
  update automations set overlap = 'queue' where overlap = 'skip' and updated_at < coalesce(applied, now())
     and jsonb_path_exists(triggers, '$[*] ? (@.kind == "page_ingested" || @.kind == "board_change" || @.kind == "webhook")');
end $$;
alter table automations force row level security;
