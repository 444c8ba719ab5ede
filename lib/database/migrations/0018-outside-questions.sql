-- What a server asks outside of any call waits here until some process has a stream of the client to send it on. Null: it
-- was sent, or is sent on the stream of its call. A question that was taken back has an (empty) answer, and in `message`
-- the notification that says so.
alter table client_requests add column message text;
