-- Event streams that a client may come back to with `Last-Event-ID`. `principal`: a hash of who opened it. `last_words`:
-- the answer of a request whose process was lost before it could give one; '' where none is owed.
create table event_streams (
  id text primary key,
  session_id text not null references sessions (id) on delete cascade,
  principal text not null,
  last_words text not null,
  alive_at timestamptz not null default now()
);
create index event_streams_session on event_streams (session_id);
create index event_streams_alive_at on event_streams (alive_at);

-- What was sent on them. Each stream has one writer at a time, which keeps it within bounds.
create table stream_events (
  stream_id text not null references event_streams (id) on delete cascade,
  seq int not null,
  message text not null,
  is_last boolean not null,
  created_at timestamptz not null default now(),
  primary key (stream_id, seq)
);
