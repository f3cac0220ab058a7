#!/usr/bin/env bash
# Prints the budgets as ratios measured in one run.
set -euo pipefail
cd "$(dirname "$0")/.."

echo '== suite'
go build -o .tmp/bin/bench ./test/bench
.tmp/bin/bench
echo '== chains'
go test -run '^$' -bench Proxy -benchtime 3s ./services/chains/proxy
go test -run '^$' -bench Multicall -benchtime 1s ./services/onchain/evm
echo '== chains.cache: the part of the calls of nodes that a replay of histories and balances does not need any more'
go test -run '^$' -bench Replay -benchtime 1x ./services/activity
echo '== limits: shared by replicas, at most 1.5 x the time of a limit of one process'
go test -run '^$' -bench Take -benchtime 3x ./services/platform/limit/leases
echo '== relay: publishing to servers of NATS whose disks take 10 ms for a flush'
go test -run '^$' -bench PublishAtRate -benchtime 5000x ./services/relay
echo '== balances'
go test -run '^$' -bench . -benchtime 2s ./services/balances/...
echo '== bundler: at most 20 ms until an operation is in a block, and 20 MiB more anonymous memory than while it is idle'
go test -run '^$' -bench UserOperation -benchtime 300x ./services/bundler
echo '== page'
node test/bench/page/page.mjs
echo '== first click'
node test/peers/click/bench.mjs
