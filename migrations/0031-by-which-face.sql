-- By which face a call came; null in rows of before.
alter table audit_log add column face text;
