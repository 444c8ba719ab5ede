-- What gateways without a groups folder show: a copy of each group's file, which managers keep equal to it. `document` is
-- the last good version (JSON), null while there was none; `problem` says why the present file is unusable.
create table group_copies (
  name text primary key,
  document text,
  etag text,
  modified_at timestamptz,
  problem text
);

-- The processes that take calls of others for what these lack: a program, a secret, a folder. Each proves that it lives by
-- moving `expires_at`; the token is random for each start and known only to those who share this database.
create table relay_processes (
  process_id text primary key,
  url text not null,
  token text not null,
  started_at timestamptz not null default now(),
  expires_at timestamptz not null
);
