#!/usr/bin/env bash
# Runs a command in an isolated network, and fails when a packet was sent to another host:
#   tools/offline.sh <command> [argument ...]
# The default route is a device that drops every packet and counts it, DNS queries included. Where the system does not let this user make such a
# network, the command runs in the usual one, and nothing is counted.
set -euo pipefail
device=egress0

# Prints how many packets would have left.
count() { awk -v device="$device:" '$1 == device { print $11 + $13 }' /proc/net/dev; }

# Makes the network: this machine, and the device that everything else is sent to.
connect() {
  ip link set lo up
  # A veth pair, because it has a carrier: without one, browsers report that they are offline.
  ip link add "$device" type veth peer name "$device"-peer
  local end
  for end in "$device"-peer "$device"; do
    [ ! -e /proc/net/if_inet6 ] || echo 0 > "/proc/sys/net/ipv6/conf/$end/router_solicitations"
    ip link set "$end" addrgenmode none up
  done
  ip addr add 192.0.2.2/24 dev "$device"
  ip route add default dev "$device"
  if [ -e /proc/net/if_inet6 ]; then
    ip -6 addr add 2001:db8::2/64 dev "$device" nodad
    ip -6 route add default dev "$device"
  fi
}

if [ "${1:-}" != --inside ] && [ "${1:-}" != --try ]; then
  namespaces=(--net)
  [ "$(id -u)" = 0 ] || namespaces+=(--map-root-user)
  # Root may do everything that is needed, so a failure is an error.
  try=true
  [ "$(id -u)" = 0 ] || try="$0 --try"
  if ! unshare "${namespaces[@]}" $try 2> /dev/null; then
    echo 'egress: NOT CHECKED, this system does not let this user make a network of its own' >&2
    exec "$@"
  fi
  exec unshare "${namespaces[@]}" "$0" --inside "$@"
fi

if [ "$1" = --try ]; then
  connect
  exit
fi

shift
connect
# A packet that is sent must be counted, or the count would mean nothing.
echo > /dev/udp/198.51.100.1/9
# The system announces the new addresses for about two seconds by itself.
before=-1
until [ "$(count)" = "$before" ]; do
  before=$(count)
  sleep 3
done
[ "$before" -gt 0 ] || { echo 'egress: the device counts nothing' >&2; exit 1; }
status=0
"$@" || status=$?
left=$(($(count) - before))
echo "egress: $left packets were sent to other hosts"
[ "$left" = 0 ] || exit 1
exit "$status"
