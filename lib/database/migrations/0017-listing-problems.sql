-- What of a server's lists could not be taken at all, having no name or one that cannot be kept: whole sentences. What is
-- wrong with definitions that were taken is told from those themselves.
alter table servers add column listing_problems text[] not null default '{}';
alter table server_offers add column listing_problems text[] not null default '{}';
