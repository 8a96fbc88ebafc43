-- A session that a key's link opened ends with the key. The key is deleted only with its workspace.
alter table sign_in_links add column made_by_key uuid references keys;
alter table sessions add column made_by_key uuid references keys;
