#!/usr/bin/env bash
# Fuzzes parsers, each for the given time. `tools/fuzz.sh 1s` takes the parsers of input from callers of the gateway, clients of the relay and wallets,
# `tools/fuzz.sh 1m all` takes all of them. `go test` runs the seeds of all as well.
set -euo pipefail
cd "$(dirname "$0")/.."

time=${1:?how long each parser is fuzzed, such as 10s}
packages=(./proto/siwe ./services/platform/jsonrpc ./services/chains/{proxy,rpc} ./services/relay/{wire,clientauth,socket} ./services/auth/proof)
if [ "${2:-}" = all ]; then
	mapfile -t packages < <(git grep -lE '^func Fuzz' -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|')
fi
for package in "${packages[@]}"; do
	targets=$(grep -hoP '^func \KFuzz\w+' "$package"/*_test.go) || { echo "$package has no fuzz target" >&2; exit 1; }
	for target in $targets; do
		go test -trimpath -vet=off -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package"
	done
done
