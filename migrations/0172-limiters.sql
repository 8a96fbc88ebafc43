-- Each limiter has rows of its own: deliveries to an automation and the calls of its runs are counted apart, though both have its id.
-- A new table, so that processes of the version before go on while this one starts; they use rate_limits.

-- Counts of a passing minute: losing them in a crash costs nothing.
create unlogged table limited_minutes (
  workspace_id uuid not null,
  limiter text not null,
  subject_id uuid not null,
  window_start timestamptz not null,
  used integer not null,
  primary key (workspace_id, limiter, subject_id)
);
call protect('limited_minutes');
