-- The id that labels containers, volumes and networks: `id`, unless an earlier database of the same installation has left
-- some behind, whose id it is then. Null until a manager has looked.
alter table deployment add column containers_id text;
update deployment set containers_id = id;
