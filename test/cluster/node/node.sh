#!/bin/bash
# A Kubernetes node with its control plane, in Linux namespaces without network egress. Killing the process that `up` starts ends all of it.
#
#   node.sh up BIN IMAGES   starts it with the programs of one folder and imports the images of the other
#   node.sh in COMMAND...   runs a command inside
#   node.sh down            ends it and removes what it left
#   node.sh can             prints what the machine lacks, if anything
set -u
state=${HAWSER_CLUSTER_STATE:-/var/lib/hawser-cluster}
group=hawser-cluster
# All pods are in one cgroup. On a busy machine it would get the CPU share of a single process, so it has the weight of this many.
weight=16
hierarchies='cpu cpuacct cpuset memory devices freezer blkio pids systemd unified'

can() {
  [ "$(id -u)" = 0 ] || { echo 'root is needed'; return 1; }
  local program
  for program in unshare nsenter containerd runc nft conntrack iptables openssl; do
    command -v $program > /dev/null || { echo "$program is missing"; return 1; }
  done
  unshare --mount --net --pid --uts --ipc --fork --mount-proc true 2> /dev/null || { echo 'namespaces cannot be made'; return 1; }
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    mkdir /sys/fs/cgroup/$group.probe 2> /dev/null && rmdir /sys/fs/cgroup/$group.probe || { echo 'cgroups cannot be made'; return 1; }
  else
    mkdir /sys/fs/cgroup/memory/$group.probe 2> /dev/null && rmdir /sys/fs/cgroup/memory/$group.probe || { echo 'cgroups cannot be made'; return 1; }
  fi
}

# pid of the first process inside, by the parent that `up` started
inner() { pgrep -P "$(cat "$state/unshare.pid")" | head -1; }

up() {
  down
  mkdir -p "$state"
  local c
  if [ ! -e /sys/fs/cgroup/cgroup.controllers ]; then
    for c in $hierarchies; do
      [ "$c" = unified ] || mkdir -p /sys/fs/cgroup/$c/$group 2> /dev/null
    done
    cat /sys/fs/cgroup/cpuset/cpuset.cpus > /sys/fs/cgroup/cpuset/$group/cpuset.cpus
    cat /sys/fs/cgroup/cpuset/cpuset.mems > /sys/fs/cgroup/cpuset/$group/cpuset.mems
    echo $((weight * 1024)) > /sys/fs/cgroup/cpu/$group/cpu.shares
  else
    mkdir -p /sys/fs/cgroup/$group
    echo $((weight * 100)) > /sys/fs/cgroup/$group/cpu.weight 2> /dev/null
  fi
  setsid unshare --mount --net --pid --uts --ipc --fork --mount-proc --kill-child --propagation private \
    bash "$0" inside "$(realpath "$1")" "$(realpath "$2")" > "$state/init.log" 2>&1 < /dev/null &
  echo $! > "$state/unshare.pid"
  # the last key that is made
  for _ in $(seq 600); do [ -s "$state/pki/proxy.conf" ] && return; sleep .1; done
  echo 'no keys were made' >&2
  return 1
}

down() {
  local pid c
  pid=$(cat "$state/unshare.pid" 2> /dev/null) && kill -9 "$pid" 2> /dev/null
  for _ in $(seq 50); do [ -n "$pid" ] && kill -0 "$pid" 2> /dev/null || break; sleep .1; done
  # a cgroup can be removed when its last process has been reaped
  for _ in $(seq 30); do
    for c in $hierarchies .; do
      [ -d /sys/fs/cgroup/$c/$group ] && find /sys/fs/cgroup/$c/$group -depth -type d -exec rmdir {} \; 2> /dev/null
    done
    compgen -G "/sys/fs/cgroup/*/$group" > /dev/null || break
    sleep .1
  done
  rm -rf "$state"
}

# run NAME COMMAND...: a component, with its own log
run() { local name=$1; shift; "$@" > "$state/log/$name.log" 2>&1 & }

# instead PATH VALUE: a tunable that the kubelet insists on, answered for it alone; the machine keeps its own
instead() {
  local file=/run/k8s/${1//\//_}
  echo "$2" > "$file"
  mount --bind "$file" "$1"
}

inside() {
  local bin=$1 images=$2
  export PATH=$bin:/usr/sbin:/usr/bin:/sbin:/bin
  hostname node0
  mount --make-rshared /
  mount -t tmpfs tmpfs /run
  mkdir -p /run/k8s /run/lock "$state"/{etcd,pki,kubelet,containerd,cni,log,volumes}
  instead /proc/sys/vm/overcommit_memory 1
  instead /proc/sys/vm/panic_on_oom 0
  instead /proc/sys/kernel/panic 10
  instead /proc/sys/kernel/panic_on_oops 1
  instead /proc/sys/kernel/keys/root_maxkeys 1000000
  instead /proc/sys/kernel/keys/root_maxbytes 25000000
  instead /etc/resolv.conf 'nameserver 198.18.0.1'
  instead /etc/hosts $'127.0.0.1 localhost\n198.18.0.1 node0'
  ip link set lo up
  ip link add node0 type bridge && ip addr add 198.18.0.1/24 dev node0 && ip link set node0 up
  ip route add default via 198.18.0.1 2> /dev/null || ip route add default dev node0
  sysctl -qw net.ipv4.ip_forward=1 net.ipv4.conf.all.route_localnet=1
  cd "$state" || exit 1
  keys
  containers "$images"
  control
  node
  trap 'exit 0' TERM
  while :; do sleep 3600 & wait $!; done
}

# certificate NAME SUBJECT [NAMES]
certificate() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.csr" -subj "$2" 2> /dev/null
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -out "$1.crt" -days 2 ${3:+-extfile <(echo "subjectAltName=$3")} 2> /dev/null
}

keys() {
  cd pki || exit 1
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.crt -days 2 -subj /CN=hawser-cluster 2> /dev/null
  openssl genrsa -out sa.key 2048 2> /dev/null
  openssl rsa -in sa.key -pubout -out sa.pub 2> /dev/null
  certificate apiserver /CN=apiserver DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,IP:127.0.0.1,IP:198.18.0.1,IP:198.19.0.1
  certificate kubelet /CN=node0 DNS:node0,IP:198.18.0.1,IP:127.0.0.1
  certificate postgres /CN=postgres.data DNS:postgres.data
  local user
  certificate admin /O=system:masters/CN=admin
  certificate node /O=system:nodes/CN=system:node:node0
  certificate controllers /CN=system:kube-controller-manager
  certificate scheduler /CN=system:kube-scheduler
  certificate proxy /CN=system:kube-proxy
  for user in admin node controllers scheduler proxy; do
    cat > $user.conf << EOC
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:6443", certificate-authority: $state/pki/ca.crt}}]
users: [{name: u, user: {client-certificate: $state/pki/$user.crt, client-key: $state/pki/$user.key}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
EOC
  done
  cd "$state" || exit 1
}

containers() {
  cat > containerd.toml << EOC
version = 2
root = "$state/containerd"
state = "/run/containerd"
[grpc]
  address = "/run/k8s/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pause:1"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$state/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
EOC
  cat > cni/10-bridge.conflist << EOC
{"cniVersion":"1.0.0","name":"pods","plugins":[
 {"type":"bridge","bridge":"cni0","isGateway":true,"ipMasq":false,"hairpinMode":true,
  "ipam":{"type":"host-local","ranges":[[{"subnet":"198.18.64.0/24"}]],"routes":[{"dst":"0.0.0.0/0"}],"dataDir":"/run/cni"}},
 {"type":"portmap","capabilities":{"portMappings":true}}]}
EOC
  run containerd containerd --config "$state/containerd.toml"
  local ctr=(ctr -a /run/k8s/containerd.sock -n k8s.io) archive
  for _ in $(seq 100); do "${ctr[@]}" version > /dev/null 2>&1 && break; sleep .1; done
  for archive in "$1"/*.tar; do "${ctr[@]}" images import "$archive"; done
}

control() {
  run etcd kubeall etcd --data-dir "$state/etcd" --unsafe-no-fsync --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379 \
    --listen-peer-urls http://127.0.0.1:2380 --initial-advertise-peer-urls http://127.0.0.1:2380 --initial-cluster default=http://127.0.0.1:2380
  run apiserver kubeall apiserver --etcd-servers http://127.0.0.1:2379 --secure-port 6443 --advertise-address 198.18.0.1 \
    --service-cluster-ip-range 198.19.0.0/16 --client-ca-file pki/ca.crt --tls-cert-file pki/apiserver.crt --tls-private-key-file pki/apiserver.key \
    --service-account-key-file pki/sa.pub --service-account-signing-key-file pki/sa.key --service-account-issuer https://kubernetes.default.svc \
    --kubelet-client-certificate pki/admin.crt --kubelet-client-key pki/admin.key --kubelet-certificate-authority pki/ca.crt \
    --kubelet-preferred-address-types InternalIP --authorization-mode Node,RBAC --anonymous-auth=false --allow-privileged=true --endpoint-reconciler-type=lease \
    --requestheader-client-ca-file pki/ca.crt --requestheader-allowed-names admin --requestheader-username-headers X-Remote-User \
    --requestheader-group-headers X-Remote-Group --requestheader-extra-headers-prefix X-Remote-Extra- \
    --proxy-client-cert-file pki/admin.crt --proxy-client-key-file pki/admin.key
  run controllers kubeall controllers --kubeconfig pki/controllers.conf --service-account-private-key-file pki/sa.key --root-ca-file pki/ca.crt \
    --cluster-signing-cert-file pki/ca.crt --cluster-signing-key-file pki/ca.key --use-service-account-credentials \
    --horizontal-pod-autoscaler-sync-period=5s --leader-elect=false --bind-address 127.0.0.1
  run scheduler kubeall scheduler --kubeconfig pki/scheduler.conf --leader-elect=false --bind-address 127.0.0.1
}

node() {
  cat > kubelet.yaml << EOC
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: {anonymous: {enabled: false}, webhook: {enabled: false}, x509: {clientCAFile: $state/pki/ca.crt}}
authorization: {mode: AlwaysAllow}
tlsCertFile: $state/pki/kubelet.crt
tlsPrivateKeyFile: $state/pki/kubelet.key
containerRuntimeEndpoint: unix:///run/k8s/containerd.sock
cgroupDriver: cgroupfs
cgroupRoot: /$group
failCgroupV1: false
failSwapOn: false
protectKernelDefaults: true
clusterDNS: ["198.18.0.1"]
clusterDomain: cluster.local
resolvConf: /etc/resolv.conf
registerNode: true
serializeImagePulls: false
podLogsDir: $state/podlogs
evictionHard: {memory.available: "100Mi", nodefs.available: "2%", imagefs.available: "2%"}
imageGCHighThresholdPercent: 100
healthzBindAddress: 127.0.0.1
nodeStatusUpdateFrequency: 5s
localStorageCapacityIsolation: false
EOC
  run kubelet kubeall kubelet --config "$state/kubelet.yaml" --kubeconfig pki/node.conf --hostname-override node0 --node-ip 198.18.0.1 --root-dir "$state/kubelet"
  cat > proxy.yaml << EOC
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: iptables
clientConnection: {kubeconfig: $state/pki/proxy.conf}
hostnameOverride: node0
conntrack: {maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
bindAddress: 0.0.0.0
metricsBindAddress: 127.0.0.1:10249
healthzBindAddress: 127.0.0.1:10256
EOC
  run proxy kubeall proxy --config "$state/proxy.yaml"
  cat > Corefile << EOC
.:53 {
  errors
  cache 5
  kubernetes cluster.local {
    kubeconfig $state/pki/admin.conf x
  }
}
EOC
  run dns kubeall dns -conf "$state/Corefile"
  run policies policies --kubeconfig pki/admin.conf
  run metrics kubeall metrics --kubeconfig pki/admin.conf --authentication-kubeconfig pki/admin.conf --authorization-kubeconfig pki/admin.conf \
    --secure-port 4443 --cert-dir "$state/metrics" --metric-resolution 10s --kubelet-request-timeout 5s --kubelet-certificate-authority pki/ca.crt \
    --kubelet-client-certificate pki/admin.crt --kubelet-client-key pki/admin.key --kubelet-preferred-address-types InternalIP
}

case ${1:-} in
  up | down | can | inside) "$@" ;;
  in)
    shift
    pid=$(inner)
    [ -n "$pid" ] || { echo 'no cluster runs' >&2; exit 1; }
    export KUBECONFIG=$state/pki/admin.conf HAWSER_CLUSTER_STATE=$state
    exec nsenter -t "$pid" -m -n -p -u -i -- "$@"
    ;;
  *) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
