-- The origin (a hash) of each server that was removed while groups had it ticked: agents of those groups would call
-- whoever is registered under its name.
create table removed_servers (
  server text primary key,
  origin text not null
);
