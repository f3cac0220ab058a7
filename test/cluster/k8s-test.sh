#!/bin/bash
# Runs test/cluster/live on a Kubernetes of its own and leaves nothing behind. K8S=optional skips it where the machine cannot run one; otherwise it fails there.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/test/cluster
work=$PWD/.tmp/cluster
node=$here/node/node.sh
kubernetes=1.36.3
: "${VERSION:?is set by make k8s-test}"

unable() {
  echo "k8s-test: $1"
  if [ "${K8S:-}" = optional ]; then echo 'k8s-test: skipped'; exit 0; fi
  exit 1
}

packages=(containerd runc containernetworking-plugins iptables nftables conntrack openssl iproute2 procps postgresql chromium-headless-shell)
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  missing=()
  for package in "${packages[@]}"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null)" = installed ] || missing+=("$package")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null || unable 'the packages of Debian cannot be installed'
  fi
fi
lack=$("$node" can) || unable "$lack"

# The cluster in one program, for as long as its sources are the same.
export GOWORK=off CGO_ENABLED=0
cd "$here/kubeall"
sum=$({ cat go.mod go.sum ./*.go; go version; } | sha256sum | cut -c1-16)
kubeall=${XDG_CACHE_HOME:-$HOME/.cache}/hawser/kubeall-$sum
if [ ! -x "$kubeall" ]; then
  echo 'k8s-test: building Kubernetes, which takes about 11 minutes of CPU'
  mkdir -p "$(dirname "$kubeall")"
  version=k8s.io/component-base/version
  go build -trimpath -ldflags "-s -w -X $version.gitVersion=v$kubernetes -X $version.gitMajor=1 -X $version.gitMinor=36" -o "$kubeall.$$" .
  mv "$kubeall.$$" "$kubeall"
fi

cd "$here"
rm -rf "$work"
mkdir -p "$work"/{bin,images}
ln "$kubeall" "$work/bin/kubeall" 2> /dev/null || cp "$kubeall" "$work/bin/kubeall"
go build -trimpath -ldflags '-s -w' -o "$work/bin/" ./node/pause ./node/ociimage ./node/policies
go test -trimpath -tags cluster -c -o "$work/bin/live.test" ./live
(cd ../.. && env -u GOWORK go test -trimpath -c -o "$work/bin/e2e.test" ./test/e2e)
(cd ../.. && env -u GOWORK go build -trimpath -ldflags '-s -w' -o "$work/bin/hawser-dev" ./services/development/cmd/hawser-dev)
"$work/bin/ociimage" -o "$work/images/pause.tar" -name localhost/pause:1 -entrypoint /pause "$work/bin/pause:/pause"
"$here/node/postgres-image.sh" "$work/bin/ociimage" "$work/images/postgres.tar"
for image in hawser hawser-nats; do cp "../../.tmp/release/$image-$VERSION.oci.tar" "$work/images/$image.tar"; done

# One cluster at a time: it has one place for its state, and one cgroup.
exec 9> /tmp/hawser-cluster.lock
flock 9
trap '"$node" down' EXIT
"$node" up "$work/bin" "$work/images" 9>&-
export HAWSER_CLUSTER_CHART=$PWD/../../deploy/charts/hawser HAWSER_CLUSTER_VERSION=$VERSION HAWSER_CLUSTER_KUBERNETES=$kubernetes PATH=$work/bin:$PATH
cd live
timeout 20m "$node" in live.test -test.v -test.timeout 20m
