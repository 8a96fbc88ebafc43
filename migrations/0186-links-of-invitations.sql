-- Whether a link belongs to an invitation: such a link joins, and a link to sign in alone does not.
set local lock_timeout = '10s';
alter table sign_in_links add column is_invitation boolean not null default false;
