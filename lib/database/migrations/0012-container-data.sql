-- The image that a server's containers are made from: its tag may move without them. `previous_*`: the one before, to go
-- back to.
create table server_images (
  server text primary key,
  reference text not null,
  image_id text not null,
  previous_reference text,
  previous_image_id text,
  updated_at timestamptz not null default now()
);

-- The volumes that hold a server's data, kept until it is deleted (those of a session until it ends). `session_id` is ''
-- for what all sessions share; `origin` is the hash of whose data it is. Those of earlier versions have the names that the
-- engine gave them.
create table server_volumes (
  server text not null,
  session_id text not null default '',
  path text not null,
  volume text not null,
  origin text not null,
  created_at timestamptz not null default now(),
  primary key (server, session_id, path)
);
