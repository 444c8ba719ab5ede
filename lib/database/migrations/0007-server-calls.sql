-- How many calls each process has relayed to each server since it started, with the last few, for the pages of all managers.
-- Shape only: never arguments or results. Counts are doubles, which hold more than an int and read as numbers everywhere.
create table server_calls (
  process text not null,
  server text not null,
  calls double precision not null,
  errors double precision not null,
  in_flight int not null,
  recent text not null,
  updated_at timestamptz not null default now(),
  primary key (process, server)
);
create index server_calls_updated_at on server_calls (updated_at);
