-- What a signature covered, for the time in which a captured request could be sent again under another delivery id.
create table webhook_signatures (
  workspace_id uuid not null references workspaces,
  connector_id uuid not null references webhook_connectors on delete cascade,
  -- A hash of the signed request: its body and the time that the sender signed.
  signed_hash text not null,
  event_id uuid not null,
  received_at timestamptz not null,
  primary key (connector_id, signed_hash)
);
create index on webhook_signatures (workspace_id, received_at);
call protect('webhook_signatures');
