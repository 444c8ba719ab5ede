-- The server that each secret belongs to, and the origin that its value was given for (a hash): the values themselves are
-- in the secrets method. A secret without a row is the operator's.
create table secret_owners (
  secret text primary key,
  server text not null,
  origin text not null
);
create index secret_owners_server on secret_owners (server);

-- One row, once the secrets that are older than this table have got their owners.
create table secret_owners_known (
  only_row boolean primary key default true check (only_row)
);
