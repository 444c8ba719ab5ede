#!/bin/sh
# The stand-in's entrypoint. It does what the stack relies on in the real image's: the first start makes the cluster
# from POSTGRES_USER, POSTGRES_PASSWORD and POSTGRES_DB, and the server runs as the user postgres.
set -eu
: "${POSTGRES_PASSWORD:?must be set}" "${POSTGRES_USER:=postgres}" "${POSTGRES_DB:=$POSTGRES_USER}"

if [ "$(id -u)" = 0 ]; then
  mkdir -p /var/run/postgresql
  chown postgres "$PGDATA" /var/run/postgresql
  chmod 700 "$PGDATA"
  exec setpriv --reuid=postgres --regid=postgres --clear-groups "$0" "$@"
fi

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s\n' "$POSTGRES_PASSWORD" >/tmp/password
  initdb -D "$PGDATA" --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-local=trust \
    --auth-host=scram-sha-256 --encoding=UTF8 --no-locale
  rm /tmp/password
  [ "$POSTGRES_DB" = postgres ] ||
    echo "create database \"$POSTGRES_DB\"" | postgres --single -j -D "$PGDATA" postgres
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
fi

exec postgres -D "$PGDATA" -c listen_addresses='*' "$@"
