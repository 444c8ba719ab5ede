#!/bin/sh
# What the make targets do: up, down, status, register. Needs an engine with either compose command, and curl.
set -eu
cd "$(dirname "$0")/.."

up_limit_seconds=${UP_LIMIT_SECONDS:-180}

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# Random where the example names none, readable for its owner only. The password is on no command line.
create_environment_file() {
  [ ! -e .env ] || return 0
  password=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
  (
    umask 077
    printf 's/^#*POSTGRES_USER=.*/POSTGRES_USER=svc/\ns/^#*POSTGRES_PASSWORD=.*/POSTGRES_PASSWORD=%s/\n' "$password" |
      sed -f /dev/stdin .env.example >.env.new
  )
  mv .env.new .env
  echo 'Made .env with a random database password.'
}

# The containers run as the owner of these folders, and never as root, whose files stay root's to read and write anyway.
give_folders_an_owner() {
  mkdir -p groups configs
  [ "$(ls -nd groups | awk '{ print $3 }')" = 0 ] || return 0
  chown -R 1000:1000 groups configs
  echo 'Gave groups/ and configs/ to user 1000, whom the containers run as.'
}

# setting NAME DEFAULT: from the environment, else from .env, as compose reads it.
setting() {
  eval "value=\${$1:-}"
  [ -n "$value" ] || value=$(sed -n "s/^$1=//p" .env 2>/dev/null | tail -n 1 | tr -d '\r' | sed "s/^[\"']\(.*\)[\"']\$/\1/")
  printf '%s' "${value:-$2}"
}

# What .env need not say: who owns the files, which group may use the engine, where the ports are published.
find_out() {
  manager_port=$(setting MANAGER_PORT 3701)
  gateway_port=$(setting GATEWAY_PORT 3700)
  PUBLIC_MANAGER_URL=$(setting PUBLIC_MANAGER_URL "http://127.0.0.1:$manager_port")
  PUBLIC_GATEWAY_URL=$(setting PUBLIC_GATEWAY_URL "http://127.0.0.1:$gateway_port")
  APP_UID=$(ls -nd groups | awk '{ print $3 }')
  APP_GID=$(ls -nd groups | awk '{ print $4 }')
  DOCKER_SOCKET=$(setting DOCKER_SOCKET /var/run/docker.sock)
  DOCKER_GID=$(setting DOCKER_GID "$(ls -nL "$DOCKER_SOCKET" 2>/dev/null | awk '{ print $4 }')")
  export PUBLIC_MANAGER_URL PUBLIC_GATEWAY_URL APP_UID APP_GID DOCKER_SOCKET DOCKER_GID
}

assert_set_up() {
  [ -e .env ] || fail 'Nothing was started here yet: `make up` does.'
}

find_compose() {
  command -v docker >/dev/null || fail 'docker is missing: install an engine with docker compose or docker-compose.'
  docker info >/dev/null 2>&1 || fail 'The container engine does not answer: start it, or let your user reach its socket.'
  if docker compose version >/dev/null 2>&1; then
    compose='docker compose'
  elif command -v docker-compose >/dev/null; then
    compose='docker-compose'
  else
    fail 'Neither `docker compose` nor `docker-compose` is there: install one of them.'
  fi
}

# For the page, which is served inside and shows what to type outside.
name_gateway_command() {
  GATEWAY_COMMAND="$compose exec -T manager node bin/gateway.js"
  export GATEWAY_COMMAND
}

compose() {
  $compose "$@" </dev/null
}

# in_manager ARGUMENTS: the gateway command, inside the manager's container.
in_manager() {
  compose exec -T manager node bin/gateway.js "$@"
}

# answers URL TOKEN. The token goes through a pipe: command lines can be read by everybody.
answers() {
  printf '%s' "${2:+Authorization: Bearer $2}" | curl -fs -m 5 -o /dev/null -H @- "$1"
}

# wait_for SERVICE URL TOKEN
wait_for() {
  until answers "$2" "$3"; do
    [ "$(date +%s)" -lt "$deadline" ] ||
      fail "The $1 did not answer at $2 within $up_limit_seconds s: \`$compose logs $1\` says why."
    sleep 0.3
  done
}

up() {
  command -v curl >/dev/null || fail 'curl is missing: it asks whether the stack answers.'
  create_environment_file
  give_folders_an_owner
  find_out
  name_gateway_command
  compose build --quiet
  compose up -d
  deadline=$(($(date +%s) + up_limit_seconds))
  wait_for gateway "http://127.0.0.1:$gateway_port/api/v0/tools" "$(setting GATEWAY_TOKEN '')"
  wait_for manager "http://127.0.0.1:$manager_port/api/current" "$(setting ADMIN_TOKEN '')"
  echo "Web UI:  $PUBLIC_MANAGER_URL/"
  echo "Gateway: $PUBLIC_GATEWAY_URL/v0/groups/$(setting DEFAULT_GROUP svc-global)/mcp"
}

# Containers that the manager made are not compose's, and only the database knows whose they are. They keep their state, and
# the manager wakes them again.
find_servers() {
  deployment=$(compose exec -T postgres sh -c \
    'psql -qtAX -U "$POSTGRES_USER" -d "$POSTGRES_DB" -c "select id from deployment"' 2>/dev/null | tr -d '\r') || true
  servers=
  [ -z "$deployment" ] || servers=$(docker ps -aq --filter "label=svc-mcp.deployment=$deployment")
}

down() {
  assert_set_up
  find_out
  compose stop manager gateway
  find_servers
  # shellcheck disable=SC2086 # one word for each container
  [ -z "$servers" ] || docker stop $servers >/dev/null
  compose down
  # Their network is the manager's too.
  [ -z "$deployment" ] || [ -n "$servers" ] || docker network rm "svc-mcp-$deployment" >/dev/null 2>&1 || true
}

status() {
  assert_set_up
  find_out
  compose ps
  echo
  in_manager list servers 2>/dev/null || { echo 'The manager does not run: `make up` starts it.' && return; }
  echo
  echo "Tools: $(in_manager list servers --json | awk '/"tool_count":/ { sum += $2 } END { print sum + 0 }')"
}

register() {
  assert_set_up
  find_out
  failed=0
  for config in configs/*.json; do
    [ ! -e "$config" ] || in_manager register -c "$config" || failed=1
  done
  echo
  in_manager list servers
  return $failed
}

case ${1:-} in
up | down | status | register)
  find_compose
  "$1"
  ;;
*) fail 'Usage: scripts/stack.sh up|down|status|register' ;;
esac
