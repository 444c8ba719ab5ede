-- Requests of servers that wait for a client's answer (sampling, elicitation, roots). The client may post it to any
-- process; the one that asked reads it here and removes the row.
create table client_requests (
  id text primary key,
  session_id text not null references sessions (id) on delete cascade,
  created_at timestamptz not null default now(),
  deadline timestamptz not null,
  answer text
);
create index client_requests_session on client_requests (session_id);
create index client_requests_deadline on client_requests (deadline);

-- What the client asked for with `logging/setLevel`; null: it did not.
alter table sessions add column log_level text;
