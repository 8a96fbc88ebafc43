-- For which slot of its automation a run drafted: a run that is begun again drafts nothing that was drafted, and sent, before.
alter table drafts add column run_slot text;
create index on drafts (drafted_by, run_slot) where run_slot is not null;
