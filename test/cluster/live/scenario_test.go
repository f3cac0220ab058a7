//go:build cluster

package live

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hawser-dev/hawser/test/cluster/certificate"
)

// scenario is a values file of the chart, installed in a namespace of its name.
type scenario struct {
	name string
	// values are set over the file: what depends on the cluster.
	values string
	// verified says that the file connects to PostgreSQL with its certificate checked.
	verified bool
	secrets  map[string]map[string]string
}

// commonValues fit the chart onto one small node: they expose the gateway on a node port, raise the rate limits for the load of one caller, and make a
// project.
const commonValues = `
image: {pullPolicy: Never}
service: {type: NodePort, nodePort: 30080, frameNodePort: 30081}
# DNS is no pod here.
networkPolicy: {dns: [{ipBlock: {cidr: ` + nodeAddress + `/32}}]}
config:
  gateway: {limits: {requests_per_second: 0, open_requests_per_second: 0}}
  names: {registrations_per_hour: 0}
  projects: {seed: [{id: "` + project + `", name: Cluster}]}
`

// smallPods ask for less CPU, so that every scheduled pod fits on one node beside those that replace others.
const smallPods = `
defaults: {resources: {requests: {cpu: 10m, memory: 64Mi}, limits: {memory: 512Mi}}}
nats: {resources: {requests: {cpu: 50m, memory: 64Mi}, limits: {memory: 512Mi}}}
`

var scenarios = []scenario{
	{name: "split", values: smallPods + "\n---\ntls: {existingSecret: hawser-tls}\n"},
	{name: "minimal"},
	{name: "external", verified: true, values: smallPods + "\n---\nnats: {url: \"nats://nats.data:4222\"}\n"},
	{name: "single", values: smallPods},
	{name: "production", verified: true, values: smallPods + `
---
split: {gateway: {resources: {requests: {cpu: 20m, memory: 64Mi}}}}
metrics: {serviceMonitor: {enabled: false}, rules: {enabled: false}}
`, secrets: map[string]map[string]string{"hawser-nodes": {"mainnet": "key"}, "hawser-mail": {"password": "secret"}}},
}

// prepare makes the namespace of a scenario and the Secrets that its values name.
func (c *cluster) prepare(t *testing.T, s scenario, postgres, credentials string) {
	t.Helper()
	c.namespace(t, s.name)
	for name, values := range s.secrets {
		c.secret(t, s.name, name, values)
	}
	if s.name == "minimal" {
		return
	}
	if s.name == "split" {
		certificate, err := certificate.Secret("hawser", s.name, 3)
		if err != nil {
			t.Fatal(err)
		}
		c.secret(t, s.name, "hawser-tls", certificate)
	}
	c.database(t, s.name)
	mode := "disable"
	if s.verified {
		mode = "verify-full&sslrootcert=/etc/hawser/postgres/ca.crt"
		c.secret(t, s.name, "hawser-postgres-ca", map[string]string{"ca.crt": c.key(t, "ca.crt")})
	}
	c.secret(t, s.name, "hawser-postgres", map[string]string{"dsn": fmt.Sprintf("postgres://postgres:%s@postgres.data/%s?sslmode=%s", postgres, s.name, mode)})
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	c.secret(t, s.name, "hawser-wallet-key", map[string]string{"wallet.key": identity.String() + "\n"})
	c.secret(t, s.name, "hawser-nats", map[string]string{"password": password(), "nats.creds": credentials})
}

// helm returns the arguments of a command of Helm about the release of a scenario, with its values.
func (c *cluster) helm(t *testing.T, s scenario, args ...string) []string {
	t.Helper()
	args = append([]string{"helm", "-n", s.name}, args...)
	args = append(args, "hawser", c.chart, "-f", filepath.Join(c.chart, "values-"+s.name+".yaml"))
	for _, values := range strings.Split(commonValues+"\n---\n"+s.values, "\n---\n") {
		file, err := os.CreateTemp(t.TempDir(), "values-*.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteString(values); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		args = append(args, "-f", file.Name())
	}
	return args
}

// install installs a scenario and waits for the first answer through the door.
func (c *cluster) install(t *testing.T, s scenario) {
	t.Helper()
	out, err := try(t, nil, append(c.helm(t, s, "install"), "--wait", "--timeout", "4m")...)
	if err != nil {
		c.tell(t, s.name)
		t.Fatalf("%v\n%s", err, out)
	}
	client := &http.Client{Timeout: 2 * time.Second}
	eventually(t, "the door opens", time.Minute, func() error {
		if reason := get(client, door+"/getWallets?projectId="+project); reason != "" {
			return fmt.Errorf("%s", reason)
		}
		return nil
	})
}

// validate lets the API server check everything that a scenario renders, with strict validation and as a dry run.
func (c *cluster) validate(t *testing.T, s scenario) {
	t.Helper()
	rendered := run(t, nil, c.helm(t, s, "template")...)
	run(t, []byte(rendered), "kubectl", "-n", s.name, "apply", "--dry-run=server", "--validate=strict", "-f", "-")
}

// helmTest runs the tests of the chart.
func (c *cluster) helmTest(t *testing.T, s scenario) {
	t.Helper()
	if _, err := try(t, nil, "helm", "-n", s.name, "test", "hawser", "--timeout", "3m"); err != nil {
		c.tell(t, s.name)
		t.Fatal(err)
	}
}

// remove uninstalls a scenario and everything in its namespace.
func (c *cluster) remove(t *testing.T, s scenario) {
	t.Helper()
	run(t, nil, "helm", "-n", s.name, "uninstall", "hawser", "--ignore-not-found", "--wait", "--timeout", "2m")
	run(t, nil, "kubectl", "delete", "namespace", s.name, "--timeout", "2m")
}

// tell logs the state of the pods of a namespace, and the last lines of their logs.
func (c *cluster) tell(t *testing.T, namespace string) {
	t.Helper()
	for _, args := range [][]string{{"get", "pods,jobs,pvc", "-o", "wide"}, {"get", "events", "--sort-by=.lastTimestamp"}} {
		out, _ := try(t, nil, append([]string{"kubectl", "-n", namespace}, args...)...)
		t.Log("\n" + out)
	}
	list, err := c.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Log(err)
		return
	}
	for _, p := range list.Items {
		out, _ := try(t, nil, "kubectl", "-n", namespace, "logs", p.Name, "--tail", "15")
		t.Logf("%s:\n%s", p.Name, out)
	}
}
