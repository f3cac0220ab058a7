#!/usr/bin/env bash
# Fuzzes the parsers of the JSON-RPC endpoint and of the relay, each for the time that is given: tools/fuzz.sh 10s. A time of ten minutes is for a machine that is left alone.
set -euo pipefail
cd "$(dirname "$0")/.."

time=${1:?how long each parser is fuzzed, such as 10s}
for package in ./services/platform/jsonrpc ./services/chains ./services/relay/{wire,clientauth,socket}; do
	for target in $(go test -trimpath -list '^Fuzz(Parse|Request|LogFilter|Block|Verify|Frames)$' "$package" | grep '^Fuzz'); do
		go test -trimpath -vet=off -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package"
	done
done
