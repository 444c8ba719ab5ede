-- What each server offers besides tools, as listed at its last connect: raw JSON texts, the three lists as arrays,
-- served unchanged. A row is removed in one statement with that of its server.
create table server_offers (
  server text primary key,
  capabilities text not null,
  instructions text,
  prompts text not null,
  resources text not null,
  templates text not null,
  updated_at timestamptz not null default now()
);

-- The resources that sessions want to hear of, on whichever process their stream is open.
create table session_subscriptions (
  session_id text not null references sessions (id) on delete cascade,
  server text not null,
  uri text not null,
  primary key (session_id, server, uri)
);
