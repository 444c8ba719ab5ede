# `make clean`: removes all of this installation from the engine, whether its database still is there or not.
# For `scripts/stack.sh`.
# shellcheck shell=sh disable=SC2016,SC2154

of_stack() {
  for service in manager gateway postgres; do of_service "$service"; done
}

stack_volumes() {
  for volume in postgres secrets gateway-data manager-data; do
    docker volume ls -q --filter "label=com.docker.compose.project=$project" \
      --filter "label=com.docker.compose.volume=$volume"
  done
}

stack_networks() {
  for network in default database; do
    docker network ls -q --filter "label=com.docker.compose.project=$project" \
      --filter "label=com.docker.compose.network=$network"
  done
}

# The old command joins project and service with `_`, the new one with `-`.
stack_images() {
  for image in "${project}_manager" "${project}_gateway" "$project-manager" "$project-gateway"; do
    docker image ls -q --filter "reference=$image:latest" | sed "s/.*/$image:latest/"
  done
}

# What versions before the label of the project have left can only be told by the database.
start_database_to_ask() {
  [ -z "$deployments" ] && [ -e .env ] && [ -n "$(stack_volumes)" ] || return 0
  find_out
  compose up -d postgres >/dev/null 2>&1 || return 0
  tries=60
  until [ -n "$(ask_database)" ] || [ "$tries" = 0 ]; do
    tries=$((tries - 1))
    sleep 0.5
  done
  find_deployments
}

# show WHAT LINES
show() {
  [ -z "$2" ] || printf '  %s\n%s\n' "$1" "$(printf '%s\n' "$2" | sed 's/^/      /')"
}

# remove COMMAND… with what it is to remove on standard input, one a line. What is gone already is fine; what is left is told.
remove() {
  while read -r each; do
    "$@" "$each" >/dev/null 2>&1 </dev/null || true
  done
}

find_all() {
  stack=$(of_stack)
  servers=$(of_deployments ps -a --format '{{.Names}}')
  volumes=$(stack_volumes)
  data=$(of_deployments volume ls -q)
  networks=$(stack_networks && of_deployments network ls -q)
  images=$(stack_images)
}

show_all() {
  echo "This removes the installation \`$project\` from the engine, for good:"
  show 'database, secrets and what the services keep:' "$volumes"
  show 'servers in containers:' "$servers"
  show 'volumes with the data of servers:' "$data"
  echo '  the containers and networks of the stack, and the images that were built for it'
  echo 'It keeps configs/, groups/ and .env, the images of servers, and folders and volumes that are not its own.'
}

confirm() {
  [ "${YES:-}" != 1 ] || return 0
  printf 'Type the word remove to go on: '
  read -r answer || answer=
  [ "$answer" = remove ] || fail 'Nothing was removed.'
}

all() {
  printf '%s' "$stack$servers$volumes$data$networks$images"
}

clean() {
  find_deployments
  start_database_to_ask
  find_all
  if [ -z "$(all)" ]; then
    echo "There is nothing of the installation \`$project\`."
    return 0
  fi
  show_all
  confirm
  # The manager first, which would bring its servers back.
  printf '%s\n' "$stack" "$servers" | grep . | remove docker rm -f -v
  printf '%s\n' "$volumes" "$data" | grep . | remove docker volume rm
  printf '%s\n' "$networks" | grep . | remove docker network rm
  printf '%s\n' "$images" | grep . | remove docker rmi
  find_all
  [ -z "$(all)" ] || fail "Still there, since something else uses it:" \
    "$(printf '%s ' "$stack" "$servers" "$volumes" "$data" "$networks" "$images" | tr '\n' ' ')"
  echo 'It is removed. `make up` starts anew, with configs/, groups/ and .env.'
}
