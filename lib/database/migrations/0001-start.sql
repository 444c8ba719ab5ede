-- Registered MCP servers. `config` is the registration config without literal secrets; the file stays the truth.
create table servers (
  name text primary key,
  config json not null,
  config_hash text not null,
  updated_at timestamptz not null default now()
);

-- Each server's tools at its last successful listing. `definition` is the raw JSON text, served unchanged.
create table tools (
  server text not null references servers (name) on delete cascade,
  name text not null,
  position int not null,
  definition text not null,
  hash text not null,
  first_listed_at timestamptz not null default now(),
  primary key (server, name)
);

-- The definition of a tool that a group's owner has seen: what `changed` is measured against.
create table accepted_tools (
  group_name text not null,
  tool text not null,
  hash text not null,
  accepted_at timestamptz not null default now(),
  primary key (group_name, tool)
);

-- MCP sessions. Times are the database's own, so replicas with odd clocks agree.
create table sessions (
  id text primary key,
  group_name text not null,
  protocol_version text not null,
  client_info json not null,
  client_capabilities json not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
create index sessions_last_used_at on sessions (last_used_at);
