#!/usr/bin/env bash
# Checks the dependencies of the suite, and prints a line for each check: `ok`, `failed`, or `not checked` with the reason. It fails if a check fails. With
# SECURITY=required it also fails if a check could not be made: use that on a machine that reaches the databases of vulnerabilities.
set -uo pipefail
cd "$(dirname "$0")/.."
export GOFLAGS=-trimpath
logs=.tmp/security
rm -rf "$logs"
mkdir -p "$logs"
failed=0 unchecked=0

say() { printf '%-28s %s\n' "$1" "$2"; }

# check NAME UNREACHABLE COMMAND...: runs a check. If it fails and its output matches UNREACHABLE, it counts as not checked.
check() {
  local name=$1 unreachable=$2 log="$logs/${1// /-}.log" status=0
  shift 2
  timeout 600 "$@" > "$log" 2>&1 || status=$?
  if [ "$status" = 0 ]; then
    say "$name" ok
  elif grep -qE "$unreachable" "$log"; then
    say "$name" "not checked: $(grep -E -m1 "$unreachable" "$log" | cut -c1-160)"
    unchecked=$((unchecked + 1))
  else
    say "$name" "failed"
    sed 's/^/  /' "$log"
    failed=$((failed + 1))
  fi
}

network='no such host|dial tcp|i/o timeout|TLS handshake|connection refused|403 Forbidden|Temporary failure|could not resolve'

check 'licences' "$network" node tools/licences.mjs
check 'modules are unchanged' "$network" go mod verify
if check_log=$(cd tools/vuln && GOWORK=off go build -o ../../.tmp/bin/govulncheck golang.org/x/vuln/cmd/govulncheck 2>&1); then
  check 'vulnerabilities of Go' "$network" .tmp/bin/govulncheck -C gateway ./...
else
  say 'vulnerabilities of Go' "not checked: govulncheck does not build: $(tail -n 1 <<< "$check_log" | cut -c1-160)"
  unchecked=$((unchecked + 1))
fi
check 'vulnerabilities of npm' 'audit endpoint returned an error|ENOTFOUND|ECONNREFUSED|ETIMEDOUT' npm audit --omit=dev --audit-level=high

if [ "$failed" -gt 0 ]; then
  echo "$failed checks failed" >&2
  exit 1
fi
if [ "$unchecked" -gt 0 ]; then
  echo "$unchecked checks could not be made on this machine"
  [ "${SECURITY:-}" != required ] || exit 1
fi
