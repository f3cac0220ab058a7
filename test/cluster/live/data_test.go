//go:build cluster

package live

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nkeys"
)

// postgresManifest is PostgreSQL beside the suite, without an operator. Its Service includes the server even while it is not ready, because a probe that a
// busy machine delays would otherwise cut every connection. Without a CPU request it would get a hundredth of what the pods of the suite get.
const postgresManifest = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: postgres, namespace: data}
spec:
  serviceName: postgres
  replicas: 1
  selector: {matchLabels: {app: postgres}}
  template:
    metadata: {labels: {app: postgres}}
    spec:
      automountServiceAccountToken: false
      securityContext: {runAsNonRoot: true, runAsUser: 999, fsGroup: 999, seccompProfile: {type: RuntimeDefault}}
      containers:
        - name: postgres
          image: localhost/postgres:1
          imagePullPolicy: Never
          ports: [{containerPort: 5432}]
          resources: {requests: {cpu: 300m}}
          readinessProbe: {exec: {command: [/bin/pg_isready, -h, 127.0.0.1, -U, postgres]}, periodSeconds: 1, timeoutSeconds: 5}
          securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
          volumeMounts: [{name: data, mountPath: /data}, {name: tmp, mountPath: /tmp}, {name: shm, mountPath: /dev/shm}, {name: keys, mountPath: /etc/postgres}]
      volumes:
        - {name: tmp, emptyDir: {}}
        - {name: shm, emptyDir: {medium: Memory}}
        - {name: keys, secret: {secretName: postgres, defaultMode: 0440}}
  volumeClaimTemplates:
    - metadata: {name: data}
      spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: Service
metadata: {name: postgres, namespace: data}
spec: {publishNotReadyAddresses: true, selector: {app: postgres}, ports: [{port: 5432}]}
`

// natsManifest is a NATS server of the operator: it takes users of one account, by their credentials.
const natsManifest = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: nats, namespace: data}
spec:
  selector: {matchLabels: {app: nats}}
  template:
    metadata: {labels: {app: nats}}
    spec:
      automountServiceAccountToken: false
      securityContext: {runAsNonRoot: true, runAsUser: 65532, fsGroup: 65532, seccompProfile: {type: RuntimeDefault}}
      containers:
        - name: nats
          image: localhost/hawser-nats:VERSION
          imagePullPolicy: Never
          args: [-c, /etc/nats/nats.conf]
          ports: [{containerPort: 4222}]
          resources: {requests: {cpu: 50m}}
          readinessProbe: {tcpSocket: {port: 4222}, periodSeconds: 1}
          securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
          volumeMounts: [{name: data, mountPath: /data}, {name: config, mountPath: /etc/nats}]
      volumes: [{name: data, emptyDir: {}}, {name: config, secret: {secretName: nats, defaultMode: 0440}}]
---
apiVersion: v1
kind: Service
metadata: {name: nats, namespace: data}
spec: {selector: {app: nats}, ports: [{port: 4222}]}
`

// metricsManifest registers the metrics server of node.sh for the metrics API, which autoscalers read.
const metricsManifest = `
apiVersion: v1
kind: Service
metadata: {name: metrics-server, namespace: kube-system}
spec: {ports: [{port: 443, targetPort: 4443}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: metrics-server, namespace: kube-system, labels: {kubernetes.io/service-name: metrics-server}}
addressType: IPv4
ports: [{port: 4443, protocol: TCP}]
endpoints: [{addresses: ["198.18.0.1"], conditions: {ready: true}}]
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1beta1.metrics.k8s.io}
spec:
  group: metrics.k8s.io
  version: v1beta1
  insecureSkipTLSVerify: true
  groupPriorityMinimum: 100
  versionPriority: 100
  service: {name: metrics-server, namespace: kube-system}
`

// key returns a file of the cluster's keys.
func (c *cluster) key(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(c.state, "pki", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// startPostgres starts PostgreSQL with a certificate of the cluster's authority, and returns the password of its superuser.
func (c *cluster) startPostgres(t *testing.T) (secret string) {
	t.Helper()
	secret = password()
	c.secret(t, "data", "postgres", map[string]string{"password": secret, "tls.crt": c.key(t, "postgres.crt"), "tls.key": c.key(t, "postgres.key")})
	run(t, []byte(postgresManifest), "kubectl", "apply", "-f", "-")
	run(t, nil, "kubectl", "-n", "data", "rollout", "status", "statefulset/postgres", "--timeout=2m")
	return secret
}

// database makes a database.
func (c *cluster) database(t *testing.T, name string) {
	t.Helper()
	run(t, nil, "kubectl", "-n", "data", "exec", "postgres-0", "--", "/bin/psql", "-h", "/tmp", "-U", "postgres", "-c", "create database "+name)
}

// startNATS starts a NATS server that trusts an operator of its own, and returns credentials of a user.
func (c *cluster) startNATS(t *testing.T) (credentials string) {
	t.Helper()
	operator, account, system, user := keyPair(t, nkeys.CreateOperator), keyPair(t, nkeys.CreateAccount), keyPair(t, nkeys.CreateAccount), keyPair(t, nkeys.CreateUser)
	operatorClaims := jwt.NewOperatorClaims(public(t, operator))
	operatorClaims.SystemAccount = public(t, system)
	accountClaims := jwt.NewAccountClaims(public(t, account))
	accountClaims.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1}
	userClaims := jwt.NewUserClaims(public(t, user))
	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	file, err := jwt.FormatUserConfig(encoded(t, userClaims, account), seed)
	if err != nil {
		t.Fatal(err)
	}
	c.secret(t, "data", "nats", map[string]string{"nats.conf": fmt.Sprintf(`
listen: "0.0.0.0:4222"
max_payload: 4MB
operator: %s
system_account: %s
resolver: MEMORY
resolver_preload: {%s: %s, %s: %s}
jetstream {store_dir: "/data/jetstream", sync_interval: always, max_file_store: 9GB}
`, encoded(t, operatorClaims, operator), public(t, system), public(t, account), encoded(t, accountClaims, operator),
		public(t, system), encoded(t, jwt.NewAccountClaims(public(t, system)), operator))})
	run(t, []byte(strings.ReplaceAll(natsManifest, "VERSION", os.Getenv("HAWSER_CLUSTER_VERSION"))), "kubectl", "apply", "-f", "-")
	run(t, nil, "kubectl", "-n", "data", "rollout", "status", "deployment/nats", "--timeout=2m")
	return string(file)
}

func keyPair(t *testing.T, create func() (nkeys.KeyPair, error)) nkeys.KeyPair {
	t.Helper()
	pair, err := create()
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

func public(t *testing.T, pair nkeys.KeyPair) string {
	t.Helper()
	key, err := pair.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func encoded(t *testing.T, claims interface {
	Encode(nkeys.KeyPair) (string, error)
}, by nkeys.KeyPair) string {
	t.Helper()
	token, err := claims.Encode(by)
	if err != nil {
		t.Fatal(err)
	}
	return token
}
