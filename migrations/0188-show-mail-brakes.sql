-- A backup reads every table, also those that hide rows from their owner.
call show_to_backup('mail_brakes');
