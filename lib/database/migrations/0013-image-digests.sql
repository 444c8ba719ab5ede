-- What registries call the images that containers were made from (`repository@sha256:…`), so that one that somebody
-- removed here can be pulled again, the very same.
create table image_digests (
  image_id text primary key,
  digest text not null
);
