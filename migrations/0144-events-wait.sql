-- skip held for schedules alone: events waited while an automation ran. It now holds for events, too, so automations
-- that wait for events keep what they had.
update automations set overlap = 'queue' where overlap = 'skip'
   and jsonb_path_exists(triggers, '$[*] ? (@.kind == "page_ingested" || @.kind == "board_change" || @.kind == "webhook")');
