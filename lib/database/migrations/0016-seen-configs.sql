-- In which folder each server's config file was seen last, by each installation: a folder that lacks a file which was never
-- in it (an unmounted one, another checkout) is no order to remove the server.
create table seen_configs (
  installation text not null,
  server text not null references servers (name) on delete cascade,
  folder text not null,
  primary key (installation, server)
);
