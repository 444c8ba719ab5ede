-- Registrations under way that write secrets. What is still here when its installation starts again was never finished:
-- its secrets are removed unless something refers to them by then.
create table unfinished_registrations (
  id text primary key,
  installation text not null,
  secrets text[] not null
);
