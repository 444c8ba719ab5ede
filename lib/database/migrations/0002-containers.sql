-- The containers we made: only these ids are ever touched. `session_id` is '' for a server's shared
-- container. While a server is replaced it has two.
create table containers (
  server text not null,
  session_id text not null default '',
  container_id text primary key,
  config_hash text not null,
  created_at timestamptz not null default now()
);
create index containers_server on containers (server);

-- One row: the id that labels everything of this deployment, whichever process asks.
create table deployment (
  only_row boolean primary key default true check (only_row),
  id text not null
);

-- One row: the process that holds the attachments of container servers, and how the others reach it. It proves that it
-- lives by moving `expires_at`; the token is random for each owner and known only to those who share this database.
create table container_owner (
  only_row boolean primary key default true check (only_row),
  process_id text not null,
  url text not null,
  token text not null,
  expires_at timestamptz not null
);
