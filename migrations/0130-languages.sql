-- The language of each version of an automation.

alter table automation_versions
  add column language text not null default 'typescript' check (language in ('typescript', 'javascript', 'python'));
