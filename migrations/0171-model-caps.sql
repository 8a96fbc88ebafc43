-- What a question to a model may cost at most is reserved before it is asked, so that all processes together keep the daily caps.

set local lock_timeout = '10s';
alter table llm_usage
  -- The highest cost; it counts while the question runs, and no longer than until its time, as its process may be gone.
  add column reserved_micro_usd bigint not null default 0,
  add column reserved_until timestamptz,
  -- What counts toward the caps: where the cost is not known, the most that it can be. Null: as the cost.
  add column charged_micro_usd bigint,
  -- Asked by an automation that nobody ever activated.
  add column is_trial boolean not null default false;
