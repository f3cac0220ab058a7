#!/usr/bin/env bash
# Runs the tests of one lane:
#   tools/test.sh quick      each package's tests once, the main journeys: `make test`
#   tools/test.sh full       everything that needs no cluster and no other host: `make test-full`
#   tools/test.sh changed    what the quick lane leaves out about the paths in .tmp/changed/paths: `make test-changed`
# Every stage that fails is printed. The full lane runs a few failed tests once more; the others do so with AGAIN=1, as on a build server, and succeed
# if these pass, naming the stages that were flaky. At the end a table has the time of each stage beside its budget.
set -euo pipefail
cd "$(dirname "$0")/.."
lane=${1:?quick, full or changed}
logs=.tmp/test
rm -rf "$logs"
mkdir -p "$logs"

# A program with the race detector sleeps for a second before it exits. This makes it sleep for 20 ms.
export GORACE=atexit_sleep_ms=20
# The logs are files, in which failures are looked for.
export NO_COLOR=1
# vet is off because golangci-lint runs it in `make lint`. Without cgo, the packages are those that the binary was compiled from.
# Many tests wait, so four packages at a time use two cores.
plain=(env CGO_ENABLED=0 go test -p 4 -trimpath -vet=off)
read -ra race_flags < <(tools/goflags.sh)
raced=(go test -p 4 "${race_flags[@]}" -vet=off)
# Packages whose goroutines share much. With RACE=1 the quick lane runs them with the race detector too, which compiles 814 packages a second time.
concurrent=(./services/platform/... ./services/relay/... ./services/chains/pool/... ./services/updates/...)
# Packages that only compute.
computing=(./tools/image/... ./services/convert/route)
occupied=(node tools/occupied.mjs)
offline=(tools/offline.sh "${occupied[@]}")
play=("${offline[@]}" node test/journeys/play.mjs)

# stage NAME BUDGET COMMAND...: runs a stage, prints its output as one piece, and records its time and a failure. The budget is in seconds of an
# idle machine with two cores.
stage() {
  local name=$1 budget=$2 status=0 wall user sys
  shift 2
  local TIMEFORMAT='%R %U %S'
  { time "$@" > "$logs/$name.log" 2>&1 || status=$?; } 2> "$logs/$name.time"
  read -r wall user sys < "$logs/$name.time"
  {
    flock 9
    echo "== $name: status $status after ${wall%.*} s"
    cat "$logs/$name.log"
    awk -v name="$name" -v wall="$wall" -v user="$user" -v sys="$sys" -v budget="$budget" \
      'BEGIN { printf "%-12s%8.0f%8.0f%8d%s\n", name, wall, user + sys, budget, (wall > budget ? "  over" : "") }' >> "$logs/table"
  } 9> "$logs/lock"
  [ "$status" = 0 ] || echo "$name" >> "$logs/failed"
}

# except PACKAGE...: prints the packages of the modules that the patterns do not match.
except() {
  go list ./proto/... ./services/... ./gateway/... ./test/... ./tools/image/... | grep -vxFf <(go list "$@")
}

quick() {
  {
    # shellcheck disable=SC2046 # a package a word
    stage go 300 nice -n 5 "${plain[@]}" -short $(except ./test/e2e)
    stage suite 120 env HAWSER_BINARY="$PWD/.tmp/bin/hawser" HAWSER_DEV_BINARY="$PWD/.tmp/bin/hawser-dev" "${plain[@]}" -short ./test/e2e
    # The linter reads the packages that were compiled for the tests.
    [ -z "${LINT:-}" ] || stage lint 150 make lint-go
    [ -z "${RACE:-}" ] || stage race 250 nice -n 5 "${raced[@]}" -short "${concurrent[@]}"
  } &
  stage journeys 200 "${play[@]}" --main
  stage typescript 150 vitest run
  wait
}

full() {
  {
    stage journeys 900 "${play[@]}"
    stage firefox 120 "${offline[@]}" node --test test/journeys/firefox.e2e.mjs
    # Their pages look for the hosts of their vendor, and are refused.
    stage oldclients 180 "${occupied[@]}" node --test --test-concurrency=1 test/peers/appkit/*.e2e.mjs
  } &
  {
    # These only compute, at a lower priority: Go's compiler, sites that are built from tarballs, modules of their own.
    renice -n 10 -p "$BASHPID" > /dev/null
    stage compile 600 go build "${race_flags[@]}" ./services/... ./gateway/... ./test/...
    stage install 300 node --test test/journeys/install.e2e.mjs
    stage computing 60 "${raced[@]}" "${computing[@]}"
    stage alerts 90 env GOWORK=off CGO_ENABLED=0 go test -C test/alerts -trimpath -count=1 .
    stage geth 120 env GOWORK=off CGO_ENABLED=0 go test -C test/geth -trimpath .
    stage chart 200 make chart
    stage typescript 150 env HAWSER_INTERLEAVINGS=10000 vitest run
  } &
  wait
  {
    # The official SDKs miss an answer that comes while they do not get to run, so Go's tests have a lower priority.
    stage relaypeers 180 "${offline[@]}" node --test --test-concurrency=1 --test-timeout=400000 test/peers/relay/*.test.mjs
    # How long a recovery takes depends on what else runs here, so its limit is a minute. No write may be lost, and no answer may be wrong.
    stage faults 240 .tmp/bin/faults -duration 3m -recovery 1m
    stage hostile 300 .tmp/bin/faults -hostile -duration 10s
  } &
  # shellcheck disable=SC2046
  stage go 450 nice -n 5 "${raced[@]}" $(except ./test/e2e "${computing[@]}")
  # The suite keeps one core busy.
  stage suite 300 "${raced[@]}" -timeout 20m ./test/e2e &
  stage fuzz 300 tools/fuzz.sh 1s
  wait
}

changed() {
  local paths=.tmp/changed/paths
  # about PATTERN: whether a changed path matches.
  about() { grep -qE "$1" "$paths"; }
  {
    mapfile -t packages < <(tools/dependents.sh "$paths")
    [ ${#packages[@]} = 0 ] || stage go 600 nice -n 5 "${raced[@]}" -timeout 20m "${packages[@]}"
    ! about '^(tools/image|deploy|test/cluster)/' || stage chart 300 make chart
    ! about '^(test/alerts|deploy/charts/.*/(alerts|dashboards?))' || stage alerts 90 env GOWORK=off CGO_ENABLED=0 go test -C test/alerts -trimpath -count=1 .
    ! about '^(test/geth|services/preview)/' || stage geth 120 env GOWORK=off CGO_ENABLED=0 go test -C test/geth -trimpath .
  } &
  stage journeys 900 "${play[@]}" --changed "$paths"
  ! about '^test/kit/firefox' || stage firefox 120 "${offline[@]}" node --test test/journeys/firefox.e2e.mjs
  ! about '^packages/(create-hawser|browser)/|^examples/|^packages/[a-z]+/package.json' || stage install 300 node --test test/journeys/install.e2e.mjs
  ! about '^(services/relay|packages/walletconnect|test/peers/relay)/' ||
    stage relaypeers 180 "${offline[@]}" node --test --test-concurrency=1 --test-timeout=400000 test/peers/relay/*.test.mjs
  wait
}

# again STAGE: runs the failed tests of a stage once more, when nothing else runs, if they are few. A test that passes then is reported as flaky. A
# second run does not excuse a data race, a goroutine that was left running, a packet to another host, a panic, or many failures.
again() {
  local log=$logs/$1.log
  ! grep -qE 'DATA RACE|goleak: |egress: [1-9]|^panic:|\[(build|setup) failed\]' "$log" || return 1
  case $1 in
    journeys)
      mapfile -t files < .hawser/e2e/failed.txt
      ((${#files[@]} >= 1 && ${#files[@]} <= 3)) || return 1
      "${play[@]}" --lanes=1 "${files[@]}"
      ;;
    install | oldclients | relaypeers)
      mapfile -t files < <(grep -oP "location: '\K[^':]+\.(e2e|test)\.mjs" "$log" | sort -u)
      ((${#files[@]} >= 1 && ${#files[@]} <= 3)) || return 1
      if [ "$1" = oldclients ]; then
        node --test --test-concurrency=1 "${files[@]}"
      else
        tools/offline.sh node --test --test-concurrency=1 "${files[@]}"
      fi
      ;;
    typescript)
      mapfile -t files < <(grep -oP '(FAIL|error originated in).*?\K(packages|apps|test|tools|examples)/\S+\.test\.tsx?' "$log" | sort -u)
      ((${#files[@]} >= 1 && ${#files[@]} <= 3)) || return 1
      vitest run "${files[@]}"
      ;;
    # Its journeys are of the other files, which play in Chromium.
    firefox) "${offline[@]}" node --test test/journeys/firefox.e2e.mjs ;;
    go | suite | race)
      mapfile -t tests < <(grep -oP '^--- FAIL: \K\w+' "$log" | sort -u)
      mapfile -t packages < <(grep -oP '^FAIL\t\K\S+(?=\t)' "$log" | sort -u)
      ((${#tests[@]} >= ${#packages[@]} && ${#tests[@]} <= 5)) || return 1
      "${raced[@]}" -count=1 -run "^($(IFS='|' && echo "${tests[*]}"))\$" "${packages[@]}"
      ;;
    *) return 1 ;;
  esac
}

trap 'trap - INT TERM; kill -TERM 0' INT TERM
"$lane"
printf '\n%-12s%8s%8s%8s   seconds on %s cores\n' stage time CPU budget "$(nproc)"
sort -k2 -rn "$logs/table"
printf '%-12s%8d\n' "$lane" "$SECONDS"

[ -e "$logs/failed" ] || exit 0
# Build servers show the end of a log.
for name in $(< "$logs/failed"); do
  printf '\n== %s failed:\n' "$name"
  grep -aE '^(not ok|✖|✗|--- FAIL|FAIL)|^ *(FAIL|✗|×) |DATA RACE|goleak: |egress: [1-9]|^panic:|Error: |error originated in' "$logs/$name.log" | head -40 || tail -n 40 "$logs/$name.log"
done
echo "failed: $(xargs < "$logs/failed")" >&2
[ "$lane" = full ] || [ -n "${AGAIN:-}" ] || exit 1
mv "$logs/failed" "$logs/flaky"
for name in $(< "$logs/flaky"); do
  stage "$name-again" 0 again "$name"
done
[ ! -e "$logs/failed" ] || exit 1
echo "flaky, each to be mended at its cause: $(xargs < "$logs/flaky")" >&2
[ "$lane" = full ] || exit 0
exit 3
