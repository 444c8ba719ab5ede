-- Servers whose removal has begun. Their tools are in no list, and a removal that a kill cut short is found here: it is
-- finished at the next start when the config file was gone by then, and called off when it was not.
create table deregistrations (
  server text primary key,
  begun_at timestamptz not null default now()
);
