-- What registries said when they were asked for the images of servers, when they are to be asked again, and the newer
-- image that a server could be updated to. Goes with the pin of the server's image.
create table image_offers (
  server text primary key references server_images (server) on delete cascade,
  reference text not null,
  registry_digest text,
  ask_at timestamptz not null,
  old_digest text,
  new_digest text,
  seen_at timestamptz
);

-- What registries call images that servers are or were made from: how one that was tidied away is pulled again.
create table image_digests (
  image_id text primary key,
  name text not null
);
