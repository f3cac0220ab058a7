#!/usr/bin/env bash
# Runs a command of Go with programs in which each flush to the disk (File.Sync) takes longer, as on a slow disk:
#   tools/slowflush.sh 10ms go test -run - -bench Publish ./services/relay/mailbox
set -euo pipefail
duration=${1:?how long a flush takes, as 10ms}
shift
# The same folder each time, so that Go finds what it compiled.
folder=$(cd "$(dirname "$0")/.." && pwd)/.tmp/slowflush-$duration
mkdir -p "$folder"
original=$(go env GOROOT)/src/os/file_posix.go
nanoseconds=$(awk -v text="$duration" 'BEGIN { if (text !~ /^[0-9]+ms$/) exit 1; print text * 1000000 }')
sed '/^func (f \*File) Sync() error {$/a time.Sleep('"$nanoseconds"')' "$original" > "$folder/file_posix.go"
! cmp -s "$original" "$folder/file_posix.go" || { echo "File.Sync is not in $original" >&2; exit 1; }
printf '{"Replace": {"%s": "%s"}}' "$original" "$folder/file_posix.go" > "$folder/overlay.json"
GOFLAGS="${GOFLAGS:-} -overlay=$folder/overlay.json" "$@"
