-- The definition that was accepted, as its server listed it, to be shown beside the one of now; null: not known, or too
-- long to keep. What is accepted and still current is known already.
alter table accepted_tools add column definition text;
update accepted_tools set definition = tools.definition
from tools
where accepted_tools.tool = tools.server || '__' || tools.name
  and accepted_tools.hash = tools.hash
  and length(tools.definition) <= 65536;

-- Which server a bare URI of a group's file was read from while every server was searched for it. Written once, at the
-- first start of a version that searches the group's own servers only.
create table former_servers (
  group_name text not null,
  entry text not null,
  server text not null,
  primary key (group_name, entry)
);

-- One row once that is done.
create table former_servers_noted (
  only_row boolean primary key default true check (only_row)
);
