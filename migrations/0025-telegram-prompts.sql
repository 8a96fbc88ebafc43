-- Drafts that are put before their person on a phone, what is pressed there, and what became of them.

-- Of a draft one message at most is asked for; it may be there more than once, where a crash came between saying and noting.
create table telegram_prompts (
  draft_id uuid primary key references drafts on delete cascade,
  workspace_id uuid not null references workspaces,
  connection_id uuid not null references connections on delete cascade,
  link_id uuid not null references telegram_links on delete cascade,
  chat_id bigint not null,
  -- The buttons that it has: what is pressed beside them is not believed.
  buttons text[] not null,
  -- What Telegram calls the message, once it is there.
  message_ids jsonb not null default '[]',
  -- How often the draft's state changed, and up to which change the message tells it.
  changes integer not null default 0,
  shown integer not null default 0,
  expires_at timestamptz not null,
  attempts integer not null default 0,
  created_at timestamptz not null
);
create index on telegram_prompts (link_id);
create index on telegram_prompts (workspace_id, created_at);
create index on telegram_prompts (connection_id) where changes > shown;
create index on telegram_prompts (connection_id, expires_at) where changes = 0;
call protect('telegram_prompts');
create policy listed_by_system on telegram_prompts for select using (current_setting('thalamus.system', true) = 'on');

-- Wherever a draft is decided, its message is due in the same transaction.
create function prompt_is_due() returns trigger language plpgsql as $$
begin
  update telegram_prompts set changes = changes + 1, attempts = 0 where draft_id = new.id;
  return null;
end $$;
create trigger prompt_is_due after update of status on drafts
  for each row when (old.status is distinct from new.status) execute function prompt_is_due();

alter table telegram_replies no force row level security;
alter table telegram_replies
  -- The draft that it puts before the person.
  add column draft_id uuid references drafts on delete cascade,
  -- The pressed button that it answers; its words are then shown for a moment, or until they are closed.
  add column query_id text,
  add column is_alert boolean not null default false;
alter table telegram_replies force row level security;
create policy listed_by_system on telegram_replies for select using (current_setting('thalamus.system', true) = 'on');
