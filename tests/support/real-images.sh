#!/bin/sh
# Makes images of six real MCP servers, two versions of each, on the engine that `docker` reaches: three from npm and three
# from PyPI, with the node and the python3 of this machine inside. Nothing is pulled, and no builder is needed.
# Usage: real-images.sh PREFIX. Makes PREFIX/NAME:old and PREFIX/NAME:new; what is there already is left alone.
set -eu
prefix=$1
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT

python=/usr/bin/python3
[ -x "$python" ] || python=$(command -v python3)

# with_libraries FILE…: the files of this machine and the shared libraries that they need, at their own paths.
with_libraries() {
  for file in "$@"; do
    # What lies in the image itself has its place already.
    case $file in "$root"/*) own= ;; *) own=$file ;; esac
    for each in $own $(ldd "$file" 2>/dev/null | grep -oE '/[^ ]+' | grep -v "^$root" || true); do
      mkdir -p "$root$(dirname "$each")"
      cp -L "$each" "$root$each"
    done
  done
}

base() {
  root=$here/root
  standard=$("$python" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
  mkdir -p "$root/usr/local/bin" "$root/tmp" "$root/data" "$root/etc" "$root/app" "$root$standard"
  chmod 1777 "$root/tmp" "$root/data"
  printf 'root:x:0:0:root:/:/bin/false\nnode:x:1000:1000:node:/app:/bin/false\n' >"$root/etc/passwd"
  node=$(readlink -f "$(command -v node)")
  with_libraries "$node"
  mv "$root$node" "$root/usr/local/bin/node"
  interpreter=$(readlink -f "$python")
  with_libraries "$interpreter"
  mv "$root$interpreter" "$root/usr/local/bin/python3"
  (cd "$standard" && tar -c --exclude=test --exclude=__pycache__ --exclude='config-*' --exclude=idlelib .) | tar -xC "$root$standard"
  # shellcheck disable=SC2046 # one word for each library
  with_libraries $(find "$standard/lib-dynload" -name '*.so')
}

# image NAME TAG: what is in $root, and the engine's instructions from standard input, one on each line.
image() {
  set -- "$prefix/$1:$2"
  changes=
  while IFS= read -r line; do changes="$changes --change '$line'"; done
  # The instructions hold blanks.
  eval "tar -C '$root' -c . | docker import --change 'ENV PATH=/usr/local/bin' $changes - '$1'" >/dev/null
  echo "$1"
}

exists() {
  docker image inspect "$prefix/$1:$2" >/dev/null 2>&1
}

# npm_image NAME TAG PACKAGE@VERSION, instructions from standard input.
npm_image() {
  exists "$1" "$2" && return 0
  rm -rf "$root/app" && mkdir -p "$root/app"
  (cd "$root/app" && npm install --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error "$3" >/dev/null)
  image "$1" "$2"
}

# pypi_image NAME TAG PACKAGE==VERSION, instructions from standard input. The older ones were made for the SDK before 2.0,
# without saying so.
pypi_image() {
  exists "$1" "$2" && return 0
  rm -rf "$root/app" && mkdir -p "$root/app"
  "$(command -v python3)" -m pip install --quiet --no-warn-conflicts --disable-pip-version-check --root-user-action=ignore \
    --python-version "$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')" --only-binary=:all: \
    --target "$root/app" "$3" "$sdk" >/dev/null
  # shellcheck disable=SC2046 # one word for each library
  with_libraries $(find "$root/app" -name '*.so')
  image "$1" "$2"
}

base
for version in old:2025.11.25 new:2026.8.31; do
  npm_image memory "${version%%:*}" "@modelcontextprotocol/server-memory@${version#*:}" <<'END'
ENV MEMORY_FILE_PATH=/data/memory.json
VOLUME /data
ENTRYPOINT ["node", "/app/node_modules/@modelcontextprotocol/server-memory/dist/index.js"]
END
done
for version in old:2025.12.18 new:2026.8.31; do
  npm_image sequential-thinking "${version%%:*}" "@modelcontextprotocol/server-sequential-thinking@${version#*:}" <<'END'
ENTRYPOINT ["node", "/app/node_modules/@modelcontextprotocol/server-sequential-thinking/dist/index.js"]
END
done
for version in old:4.0.7 new:4.1.1; do
  npm_image context7 "${version%%:*}" "@upstash/context7-mcp@${version#*:}" <<'END'
EXPOSE 8080
ENTRYPOINT ["node", "/app/node_modules/@upstash/context7-mcp/dist/index.js", "--transport", "http", "--port", "8080"]
END
done
sdk='mcp<2'
for version in old:2025.1.14 new:2025.4.25; do
  pypi_image sqlite "${version%%:*}" "mcp-server-sqlite==${version#*:}" <<'END'
ENV PYTHONPATH=/app
ENTRYPOINT ["python3", "-c", "import mcp_server_sqlite; mcp_server_sqlite.main()", "--db-path", "/data/base.db"]
END
done
for version in old:2025.9.25 new:2026.10.19; do
  [ "${version%%:*}" = old ] && sdk='mcp<2' || sdk=mcp
  pypi_image time "${version%%:*}" "mcp-server-time==${version#*:}" <<'END'
ENV PYTHONPATH=/app
ENTRYPOINT ["python3", "-m", "mcp_server_time", "--local-timezone", "UTC"]
END
done
for version in old:0.1.2 new:0.2.1; do
  [ "${version%%:*}" = old ] && sdk='mcp<2' || sdk=mcp
  pypi_image calculator "${version%%:*}" "mcp-server-calculator==${version#*:}" <<'END'
ENV PYTHONPATH=/app
ENTRYPOINT ["python3", "-m", "mcp_server_calculator"]
END
done
