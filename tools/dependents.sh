#!/usr/bin/env bash
# Prints the Go packages whose tests depend on a change: tools/dependents.sh <file with changed paths>
set -euo pipefail
cd "$(dirname "$0")/.."
paths=${1:?a file with paths}

# A change of a module's requirements, or of how tests are run, concerns every package.
if grep -qE '^(proto|services|gateway|test)/go\.(mod|sum)$|^go\.work|^tools/(goflags|test)\.sh$' "$paths"; then
  go list ./proto/... ./services/... ./gateway/... ./test/...
  exit
fi
# A file of testdata, a migration or an embedded file belongs to the nearest package above it.
grep -E '^((proto|services|gateway)/|test/(bench|e2e|faults)/)' "$paths" | while read -r path; do
  folder=$(dirname "$path")
  until [ "$folder" = . ] || compgen -G "$folder/*.go" > /dev/null; do folder=$(dirname "$folder"); done
  [ "$folder" = . ] || echo "github.com/hawser-dev/hawser/$folder"
done | sort -u > "$paths.packages"
[ -s "$paths.packages" ] || exit 0
# -test lists a package's tests as packages of their own, such as "a.test" and "a [a.test]".
go list -test -f '{{.ImportPath}}{{range .Deps}} {{.}}{{end}}' ./proto/... ./services/... ./gateway/... ./test/... |
  awk 'NR == FNR { changed[$1]; next }
    { name = $1; sub(/(_test)? \[.*|\.test$/, "", name)
      for (i = 1; i <= NF; i++) if ($i in changed) { print name; break } }' "$paths.packages" - | sort -u
# It starts the binary, so that it imports nothing of it.
! grep -qE '^(gateway/|services/platform/)' "$paths" || go list ./test/e2e
