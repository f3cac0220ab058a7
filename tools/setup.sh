#!/usr/bin/env bash
# Installs Chromium, PostgreSQL, ip and nft from Debian's packages where they are missing. `tools/setup.sh firefox` installs Firefox too,
# `tools/setup.sh proxies` unpacks nginx and Caddy, and `tools/setup.sh screenshots` installs the font of the documentation's pictures.
set -euo pipefail

as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)

# install PACKAGE...: installs packages of Debian.
install() {
  command -v apt-get > /dev/null || { echo "please install: $*" >&2; return 1; }
  echo "installing $*"
  "${as_root[@]}" apt-get update -qq || return
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "$@" > /dev/null
}

# unpack FOLDER PACKAGE...: unpacks packages of Debian into a folder. Installed, they would start servers.
unpack() {
  local folder=$1
  shift
  command -v apt-get > /dev/null || { echo "please install: $*" >&2; return 1; }
  echo "unpacking $*"
  "${as_root[@]}" apt-get update -qq || return
  rm -rf "$folder" && mkdir -p "$folder/packages"
  (cd "$folder/packages" && apt-get download -qq "$@" 2> /dev/null)
  local package
  for package in "$folder"/packages/*.deb; do dpkg-deb -x "$package" "$folder"; done
  rm -r "$folder/packages"
}

if [ "${1:-}" = proxies ]; then
  folder=$(dirname "$0")/../.tmp/proxies
  if [ ! -x "$folder/usr/sbin/nginx" ] || [ ! -x "$folder/usr/bin/caddy" ]; then unpack "$folder" nginx caddy; fi
  exit
fi

missing=()
command -v ip > /dev/null || missing+=(iproute2)
[ -x /usr/sbin/nft ] || missing+=(nftables)
compgen -G '/usr/lib/postgresql/*/bin/initdb' > /dev/null || missing+=(postgresql)
[ ${#missing[@]} = 0 ] || install "${missing[@]}"

# Some journeys need user settings, which chromium-headless-shell lacks. It takes less CPU for the other journeys; where Debian does not have it, they run in
# Chromium.
command -v chromium > /dev/null || install chromium
command -v chromium-headless-shell > /dev/null || install chromium-headless-shell || true

if [ "${1:-}" = screenshots ]; then
  fc-list -q Inter || install fonts-inter
fi
[ "${1:-}" = firefox ] || exit 0
# Without Firefox one stage of the tests fails with a message; the other stages run.
[ -n "${HAWSER_FIREFOX:-}" ] || command -v firefox-esr > /dev/null || install firefox-esr || echo 'firefox-esr is not installed: its journeys will fail' >&2
