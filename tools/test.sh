#!/usr/bin/env bash
# Runs the journeys in Chromium and Firefox, Go with the race detector, TypeScript, the official SDKs against the relay, and the suite while its parts break.
# Separate, because they install or compile much, or need other hosts: `make chart`, `make k8s-test`, `make oldclients`, `make security`.
# Stages that only compute run beside the journeys at a lower priority: Go's compiler, sites that are built from tarballs, some tests of Go. The other tests do
# not, because many wait with a deadline for a node, a database or a page. The output of a stage is printed when it ends.
set -euo pipefail
cd "$(dirname "$0")/.."
logs=.tmp/test
rm -rf "$logs"
mkdir -p "$logs"

# A program with the race detector sleeps for a second before it exits. This makes it sleep for 20 ms.
export GORACE=atexit_sleep_ms=20
read -ra compiling < <(tools/goflags.sh)
# vet is off because golangci-lint runs it in `make lint`.
go_test=(go test -p 3 "${compiling[@]}" -vet=off)

# Packages whose tests only compute.
computing=(./tools/image/... ./services/convert/route)

# stage NAME COMMAND...: runs a stage, prints its output as one piece, and records a failure.
stage() {
  local name=$1 started=$SECONDS status=0
  shift
  "$@" > "$logs/$name.log" 2>&1 || status=$?
  {
    flock 9
    echo "== $name: status $status after $((SECONDS - started)) s"
    cat "$logs/$name.log"
  } 9> "$logs/lock"
  [ "$status" = 0 ] || echo "$name" >> "$logs/failed"
}

browse() {
  # Three files at a time use two cores fully.
  stage journeys tools/offline.sh node --test --test-concurrency=3 packages/test/src/e2e/*.e2e.mjs
  # Firefox runs after them, beside the stages that compute: beside the Chromium journeys it would not get enough CPU.
  stage firefox tools/offline.sh node --test packages/test/src/firefox.e2e.mjs
}

compute() {
  renice -n 10 -p "$BASHPID" > /dev/null
  # The linter reads compiled packages, and compiles what the tests need.
  if [ -n "${LINT:-}" ]; then
    stage lint make lint-go
  else
    stage compile go build "${compiling[@]}" ./services/... ./gateway/...
  fi
  stage install node --test packages/test/src/install.e2e.mjs
  stage computing "${go_test[@]}" "${computing[@]}"
  # A module of its own: it needs the parsers of Prometheus.
  stage alerts env GOWORK=off CGO_ENABLED=0 go test -C test/alerts -trimpath .
}

wait_for_answers() {
  # These wait most of the time. The official SDKs miss an answer that comes while they do not get to run, so Go's tests have a lower priority.
  {
    stage relaypeers tools/offline.sh node --test --test-concurrency=1 tools/relaypeers/*.test.mjs
    # How long a recovery takes depends on what else runs here, so its limit is a minute. No write may be lost, and no answer may be wrong.
    stage faults .tmp/bin/faults -duration 3m -recovery 1m
  } &
  # shellcheck disable=SC2046 # a package a word
  stage go nice -n 5 "${go_test[@]}" $(go list ./proto/... ./services/... ./gateway/... | grep -vxF "$(go list ./gateway/e2e "${computing[@]}")")
  # The suite keeps one core busy.
  stage suite "${go_test[@]}" ./gateway/e2e &
  stage typescript vitest run
  stage fuzz tools/fuzz.sh 1s
  wait
}

# again STAGE: runs the failed tests of a stage once more, when nothing else runs, if they are few. A test that passes then is reported as flaky, and has to be
# fixed. A second run does not excuse a data race, a goroutine that was left running, a packet to another host, a panic, or many failures.
again() {
  local log=$logs/$1.log
  ! grep -qE 'DATA RACE|goleak: |egress: [1-9]|^panic:|\[(build|setup) failed\]' "$log" || return 1
  case $1 in
    journeys | install | relaypeers)
      mapfile -t files < <(grep -oP "location: '\K[^':]+\.(e2e|test)\.mjs" "$log" | sort -u)
      ((${#files[@]} >= 1 && ${#files[@]} <= 3)) || return 1
      tools/offline.sh node --test --test-concurrency=1 "${files[@]}"
      ;;
    # Its journeys are of the other files, which play in Chromium.
    firefox) tools/offline.sh node --test packages/test/src/firefox.e2e.mjs ;;
    go | suite)
      mapfile -t tests < <(grep -oP '^--- FAIL: \K\w+' "$log" | sort -u)
      mapfile -t packages < <(grep -oP '^FAIL\t\K\S+(?=\t)' "$log" | sort -u)
      ((${#tests[@]} >= ${#packages[@]} && ${#tests[@]} <= 5)) || return 1
      "${go_test[@]}" -count=1 -run "^($(IFS='|' && echo "${tests[*]}"))\$" "${packages[@]}"
      ;;
    *) return 1 ;;
  esac
}

trap 'trap - INT TERM; kill -TERM 0' INT TERM
browse &
compute &
wait
wait_for_answers

if [ -e "$logs/failed" ]; then
  mv "$logs/failed" "$logs/flaky"
  for name in $(< "$logs/flaky"); do
    stage "$name-again" again "$name"
  done
  echo "failed at first, see above: $(xargs < "$logs/flaky")" >&2
fi
[ ! -e "$logs/failed" ] || { echo "failed: $(xargs < "$logs/failed")" >&2; exit 1; }
