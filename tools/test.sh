#!/usr/bin/env bash
# Every test there is: Go with the race detector, TypeScript, then the journeys in a browser.
set -euo pipefail
cd "$(dirname "$0")/.."

echo '== go'
go test -race ./proto/... ./services/... ./gateway/...
echo '== fuzz'
tools/fuzz.sh 10s
echo '== typescript'
vitest run
echo '== browser: the packages, installed from the registry'
node --test packages/test/src/install.e2e.mjs
echo '== browser, with no way out'
tools/offline.sh node --test --test-concurrency=1 packages/test/src/e2e/*.e2e.mjs
