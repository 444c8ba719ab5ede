-- Whether anything was asked on a session after `initialize`: those on which nothing was end within minutes. Older sessions,
-- and those that a process of an older version makes, count as used.
alter table sessions add column is_used boolean not null default true;
create index sessions_unused on sessions (created_at) where not is_used;
