# .env, which compose reads: what a person set there, and, marked as such, what was found out about this machine.
# For `scripts/stack.sh`.
# shellcheck shell=sh disable=SC2012,SC2016,SC2034,SC2154

found_head='# --- Found out by `make up`, which writes it anew; a line of your own in another place wins ---'
found_tail='# --- End of what was found out ---'
found_names='APP_UID APP_GID DOCKER_SOCKET DOCKER_GID GATEWAY_COMMAND'

# .env without what was found out. A line of it that was added behind the mark of the end is a person's.
own_lines() {
  [ -e .env ] || return 0
  awk -v head="$found_head" -v tail="$found_tail" -v names="$found_names" '
    BEGIN { gsub(/ /, "|", names) }
    $0 == head { inside = 1; next }
    inside && $0 == tail { inside = 0; next }
    inside && $0 ~ "^(" names ")=" { next }
    { inside = 0; print }
  ' .env
}

# own_value NAME: as compose reads it, the last one.
own_value() {
  own_lines | sed -n "s/^$1=//p" | tail -n 1 | tr -d '\r' | sed "s/^[\"']\(.*\)[\"']\$/\1/"
}

# setting NAME DEFAULT: from the environment, else a person's in .env.
setting() {
  eval "value=\${$1:-}"
  [ -n "$value" ] || value=$(own_value "$1")
  printf '%s' "${value:-$2}"
}

# set_example NAME VALUE: a line of sed. Through a pipe, since command lines can be read by everybody.
set_example() {
  printf 's/^#*%s=.*/%s=%s/\n' "$1" "$1" "$2"
}

# Random where the example names none, readable for its owner only. A .env that has no user or no password gets them.
create_environment_file() {
  user=$(own_value POSTGRES_USER)
  password=$(own_value POSTGRES_PASSWORD)
  [ -z "$user" ] || [ -z "$password" ] || return 0
  user=${user:-svc}
  password=${password:-$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')}
  if [ -e .env ]; then
    lines=$(grep -v '^POSTGRES_\(USER\|PASSWORD\)=$' .env || true)
    replace_environment_file "$(printf '%s\nPOSTGRES_USER=%s\nPOSTGRES_PASSWORD=%s' "$lines" "$user" "$password")"
    echo 'Gave .env a random database password.'
  else
    (
      umask 077
      { set_example POSTGRES_USER "$user" && set_example POSTGRES_PASSWORD "$password"; } |
        sed -f /dev/stdin .env.example >.env.new
    )
    mv .env.new .env
    echo 'Made .env with a random database password.'
  fi
}

# The containers run as the owner of these folders, and never as root, whose files stay root's to read and write anyway.
give_folders_an_owner() {
  mkdir -p groups configs
  [ "$(ls -nd groups | awk '{ print $3 }')" = 0 ] || return 0
  chown -R 1000:1000 groups configs
  echo 'Gave groups/ and configs/ to user 1000, whom the containers run as.'
}

# What a person need not say: who owns the files, which group may use the engine, what is typed to reach the manager.
find_out() {
  manager_port=$(setting MANAGER_PORT 3701)
  gateway_port=$(setting GATEWAY_PORT 3700)
  APP_UID=$(setting APP_UID "$(ls -nd groups | awk '{ print $3 }')")
  APP_GID=$(setting APP_GID "$(ls -nd groups | awk '{ print $4 }')")
  DOCKER_SOCKET=$(setting DOCKER_SOCKET /var/run/docker.sock)
  DOCKER_GID=$(setting DOCKER_GID "$(ls -nL "$DOCKER_SOCKET" 2>/dev/null | awk '{ print $4 }')")
  GATEWAY_COMMAND=$(setting GATEWAY_COMMAND "$compose exec -T manager node bin/svc-mcp.js")
  export APP_UID APP_GID DOCKER_SOCKET DOCKER_GID GATEWAY_COMMAND
}

assert_found_out() {
  [ -n "$DOCKER_GID" ] || fail "There is no socket of the engine at $DOCKER_SOCKET: name it as DOCKER_SOCKET in .env" \
    '(and, where it is on another machine, its group as DOCKER_GID).'
  registries=$(setting REGISTRY_CONFIG '')
  # The engine would make a folder of a name that is not there, and compose takes one without a `/` for a volume's.
  case $registries in
  '') ;;
  /* | ./* | ../*) [ -f "$registries" ] || fail "REGISTRY_CONFIG names $registries, which is no file." ;;
  *) fail "REGISTRY_CONFIG names $registries: write its whole path." ;;
  esac
}

# For compose without make. Each line gives way to a person's.
write_found_out() {
  lines=$(own_lines)
  found=$(
    for name in $found_names; do
      [ -n "$(own_value "$name")" ] || eval "printf '%s=%s\n' $name \"\$$name\""
    done
  )
  replace_environment_file "$(printf '%s\n\n%s\n%s\n%s' "$lines" "$found_head" "$found" "$found_tail")"
}

# replace_environment_file TEXT: at once or not at all, with the mode and owner that it has; unless it is like this already.
replace_environment_file() {
  [ "$1" != "$(cat .env)" ] || return 0
  file=$(readlink -f .env || echo .env)
  cp -p "$file" .env.new
  printf '%s\n' "$1" >.env.new
  mv .env.new "$file"
}

assert_set_up() {
  [ -e .env ] || fail 'Nothing was started here yet: `make up` does.'
}
