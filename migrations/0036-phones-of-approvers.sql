-- A draft is put before everybody who may decide about it, each on their own phone.
alter table telegram_prompts drop constraint telegram_prompts_pkey;
alter table telegram_prompts add primary key (draft_id, connection_id, chat_id);
