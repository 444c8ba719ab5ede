# The compose command, and what the engine has of this installation. For `scripts/stack.sh`.
# shellcheck shell=sh disable=SC2016

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

compose() {
  $compose "$@" </dev/null
}

# in_manager ARGUMENTS: the svc-mcp command, inside the manager's container.
in_manager() {
  compose exec -T manager node bin/svc-mcp.js "$@"
}

# What compose calls this installation. The new command tells it, the old one takes the folder's name.
project_name() {
  name=$(compose config 2>/dev/null | sed -n 's/^name: *//p')
  [ -n "$name" ] || name=$(setting COMPOSE_PROJECT_NAME "$(basename "$(pwd -P)")")
  printf '%s' "$name" | tr '[:upper:]' '[:lower:]' | tr -cd 'a-z0-9_-'
}

# of_service NAME: ids of its containers, running or not.
of_service() {
  docker ps -aq --filter "label=com.docker.compose.project=$project" --filter "label=com.docker.compose.service=$1"
}

# of_deployments COMMAND…: what `docker ps`, `volume ls` or `network ls` list of the manager's making.
of_deployments() {
  for deployment in $deployments; do
    docker "$@" --filter "label=svc-mcp.deployment=$deployment"
  done
}

# The manager labels all that it makes with an id that its database has, and with the compose project. By the project it is
# found when the database is gone; versions before that label are found by the manager's network, and by the database.
find_deployments() {
  project=$(project_name)
  [ -n "$project" ] || fail 'What compose calls this folder is unknown: set COMPOSE_PROJECT_NAME in .env.'
  deployments=$(list_deployments | tr '|' '\n' | grep -x '[0-9a-f]\{12\}' | sort -u) || deployments=
}

list_deployments() {
  of_project="label=svc-mcp.project=$project"
  for listing in 'ps -a' 'volume ls' 'network ls'; do
    # shellcheck disable=SC2086 # two words
    docker $listing --filter "$of_project" --format '{{.Label "svc-mcp.deployment"}}'
  done
  for manager in $(of_service manager); do
    docker inspect -f '{{range $name, $facts := .NetworkSettings.Networks}}{{println $name}}{{end}}' "$manager" |
      sed -n 's/^svc-mcp-//p'
  done
  ask_database
}

ask_database() {
  for postgres in $(of_service postgres); do
    docker exec "$postgres" sh -c 'psql -qtAX -U "$POSTGRES_USER" -d "$POSTGRES_DB" -c "select * from deployment"' \
      2>/dev/null </dev/null || true
  done
}
