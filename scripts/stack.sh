#!/bin/sh
# shellcheck disable=SC2016
# What the make targets do: up, down, status, register, clean. Needs an engine with either compose command, and curl.
set -eu
cd "$(dirname "$0")/.."

up_limit_seconds=${UP_LIMIT_SECONDS:-180}

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

. scripts/stack/environment.sh
. scripts/stack/engine.sh
. scripts/stack/clean.sh

# ask URL TOKEN. The token goes through a pipe: command lines can be read by everybody.
ask() {
  printf '%s' "${2:+Authorization: Bearer $2}" | curl -fs -m 5 -H @- "$1"
}

# wait_for SERVICE URL TOKEN
wait_for() {
  until ask "$2" "$3" >/dev/null; do
    [ "$(date +%s)" -lt "$deadline" ] ||
      fail "The $1 did not answer at $2 within $up_limit_seconds s: \`$compose logs $1\` says why."
    sleep 0.3
  done
}

# The rest works without the engine, so this is no failure.
tell_of_engine() {
  reason=$(ask "http://127.0.0.1:$manager_port/api/status" "$(setting ADMIN_TOKEN '')" |
    sed -n 's/.*"engine":{"ok":false,"reason":"\([^"]*\)".*/\1/p')
  [ -z "$reason" ] || printf 'Servers from images do not work yet: %s\n' "$reason" >&2
}

up() {
  command -v curl >/dev/null || fail 'curl is missing: it asks whether the stack answers.'
  create_environment_file
  give_folders_an_owner
  find_out
  assert_found_out
  write_found_out
  compose build --quiet
  compose up -d
  deadline=$(($(date +%s) + up_limit_seconds))
  wait_for gateway "http://127.0.0.1:$gateway_port/api/v0/tools" "$(setting GATEWAY_TOKEN '')"
  wait_for manager "http://127.0.0.1:$manager_port/api/current" "$(setting ADMIN_TOKEN '')"
  tell_of_engine
  echo "Web UI:  $(setting PUBLIC_MANAGER_URL "http://127.0.0.1:$manager_port")/"
  echo "Gateway: $(setting PUBLIC_GATEWAY_URL "http://127.0.0.1:$gateway_port")/v0/groups/$(setting DEFAULT_GROUP svc-global)/mcp"
}

# The containers of servers are the manager's, not compose's. They keep their state, and the manager wakes them again.
down() {
  assert_set_up
  find_out
  compose stop manager gateway
  find_deployments
  servers=$(of_deployments ps -aq)
  # shellcheck disable=SC2086 # one word for each container
  [ -z "$servers" ] || docker stop $servers >/dev/null
  compose down
  # Their network is the manager's too; the engine keeps one that somebody is in.
  [ -n "$servers" ] || of_deployments network ls -q | xargs docker network rm >/dev/null 2>&1 || true
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
up | down | status | register | clean)
  find_compose
  "$1"
  ;;
*) fail 'Usage: scripts/stack.sh up|down|status|register|clean' ;;
esac
