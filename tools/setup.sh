#!/usr/bin/env bash
# Installs Chromium, PostgreSQL and ip from Debian's packages where they are missing.
set -euo pipefail

missing=()
command -v chromium > /dev/null || missing+=(chromium)
command -v ip > /dev/null || missing+=(iproute2)
compgen -G '/usr/lib/postgresql/*/bin/initdb' > /dev/null || missing+=(postgresql)
[ ${#missing[@]} -gt 0 ] || exit 0

command -v apt-get > /dev/null || { echo "please install: ${missing[*]}" >&2; exit 1; }
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
echo "installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
