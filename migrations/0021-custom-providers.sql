-- OAuth providers that a workspace sets up itself, with addresses of its own, beside the ones every server knows.

alter table provider_configs
  -- All four are there for a provider of the workspace's own, and none for one that the server knows.
  add column label text,
  add column authorization_url text,
  add column token_url text,
  add column token_auth_method text check (token_auth_method in ('client_secret_post', 'client_secret_basic', 'none')),
  -- Tells whose account it is, and ends an access (RFC 7009); null where the provider has no such address.
  add column userinfo_url text,
  add column revocation_url text,
  -- Asked for at every consent.
  add column scopes text[] not null default '{}',
  -- Where its accounts' tokens may be sent.
  add column api_hosts text[] not null default '{}',
  -- Sent with every request to the consent page, and to the token endpoint, beside what the server itself sends.
  add column authorization_params jsonb not null default '{}',
  add column token_params jsonb not null default '{}',
  add check (num_nulls(label, authorization_url, token_url, token_auth_method) in (0, 4));
