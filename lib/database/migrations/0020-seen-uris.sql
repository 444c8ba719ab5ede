-- Which server showed a URI to a group last, so that every process finds the server of a link that another one passed on.
-- `key` is a hash of group and URI: what servers put into URIs is not kept.
create table seen_uris (
  key text primary key,
  group_name text not null,
  server text not null references servers (name) on delete cascade,
  shown_at timestamptz not null default now()
);
