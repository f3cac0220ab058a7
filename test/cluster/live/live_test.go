//go:build cluster

package live

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// table is what the run prints at its end.
type table struct {
	rows []string
}

// check runs one check as a subtest, and notes what it told and how long it took.
func (r *table) check(t *testing.T, name string, check func(t *testing.T) (told string)) bool {
	t.Helper()
	began := time.Now()
	told := "failed"
	passed := t.Run(name, func(t *testing.T) { told = check(t) })
	if !passed && told != "failed" {
		told = "failed: " + told
	}
	row := fmt.Sprintf("%s\t%s\t%s", name, told, time.Since(began).Round(100*time.Millisecond))
	// A subtest's own log comes at the end only.
	_, _ = fmt.Println(row)
	r.rows = append(r.rows, row)
	return passed
}

func (r *table) print() {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "\ncheck\tresult\ttime")
	for _, row := range r.rows {
		_, _ = fmt.Fprintln(w, row)
	}
	_ = w.Flush()
}

const perSecond = 200

func TestTheChartOnACluster(t *testing.T) {
	c := connect(t)
	var r table
	defer r.print()
	var postgres, credentials string
	if !r.check(t, "the node is ready", func(t *testing.T) string {
		eventually(t, "the node", time.Minute, c.nodeIsReady)
		run(t, []byte(metricsManifest), "kubectl", "apply", "-f", "-")
		return "Kubernetes " + os.Getenv("HAWSER_CLUSTER_KUBERNETES")
	}) {
		return
	}
	if !r.check(t, "PostgreSQL and NATS of the operator", func(t *testing.T) string {
		c.volumes(t, 16)
		c.namespace(t, "data")
		postgres, credentials = c.startPostgres(t), c.startNATS(t)
		return "ready"
	}) {
		return
	}
	for _, s := range scenarios {
		installed := r.check(t, "install "+s.name, func(t *testing.T) string {
			c.prepare(t, s, postgres, credentials)
			c.validate(t, s)
			c.install(t, s)
			run(t, nil, "helm", "-n", s.name, "test", "hawser", "--timeout", "2m")
			if err := askEachProtocol(); err != nil {
				t.Fatal(err)
			}
			if ok, told := register(s.name+".hawser.id", newAccount(0)); !ok {
				t.Fatal(told)
			}
			return "every object valid by --validate=strict, helm test passed, answered in five protocols, a name is kept"
		})
		if s.name == "production" && installed {
			r.check(t, "autoscaling of production", func(t *testing.T) string { return c.autoscalers(t, s) })
		}
		if s.name == "split" && installed {
			c.breaks(t, &r, s)
		}
		if !r.check(t, "remove "+s.name, func(t *testing.T) string { c.remove(t, s); return "nothing left" }) {
			return
		}
	}
	r.rows = append(r.rows, "network policies\tskipped: the network of this cluster enforces none; the objects were taken\t")
}

// autoscalers waits until every autoscaler knows the use of CPU of its pods.
func (c *cluster) autoscalers(t *testing.T, s scenario) (told string) {
	t.Helper()
	var names []string
	eventually(t, "autoscalers have metrics", 2*time.Minute, func() error {
		list, err := c.AutoscalingV2().HorizontalPodAutoscalers(s.name).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			return err
		}
		names = nil
		for _, a := range list.Items {
			names = append(names, a.Name)
			active := slices.ContainsFunc(a.Status.Conditions, func(c autoscalingv2.HorizontalPodAutoscalerCondition) bool {
				return c.Type == autoscalingv2.ScalingActive && c.Status == corev1.ConditionTrue
			})
			if !active || a.Status.CurrentReplicas < *a.Spec.MinReplicas {
				return fmt.Errorf("%s: active %t, %d pods", a.Name, active, a.Status.CurrentReplicas)
			}
		}
		return nil
	})
	if len(names) == 0 {
		t.Fatal("there are none")
	}
	return strings.Join(names, ", ") + " scale by CPU"
}

// breaks breaks one part of an installation after the other.
func (c *cluster) breaks(t *testing.T, r *table, s scenario) {
	asked := []string{door + "/getWallets?projectId=" + project, nameURL(s.name + ".hawser.id")}
	steady := func(t *testing.T, change func()) string {
		l := startLoad(t, perSecond, asked...)
		time.Sleep(time.Second)
		change()
		time.Sleep(2 * time.Second)
		failed, told := l.end(t)
		if failed > 0 {
			c.tell(t, s.name)
			t.Error(told)
		}
		return told
	}
	r.check(t, fmt.Sprintf("rolling upgrade at %d requests/s", perSecond), func(t *testing.T) string {
		return steady(t, func() {
			run(t, nil, append(c.helm(t, s, "upgrade"), "--set", "config.log.level=warn", "--wait", "--timeout", "4m")...)
		})
	})
	r.check(t, "kill each pod", func(t *testing.T) string {
		w := startWriter("pods")
		var longest time.Duration
		pods := c.pods(t, s.name, "app.kubernetes.io/name=hawser")
		for _, p := range pods {
			if p.Status.Phase == corev1.PodRunning {
				longest = max(longest, c.kill(t, p))
			}
		}
		return fmt.Sprintf("%d pods killed, each ready again within %s; %s", len(pods), longest.Round(100*time.Millisecond), w.end(t))
	})
	r.check(t, "kill the leader of NATS", func(t *testing.T) string {
		w := startWriter("nats")
		leader := c.leader(t, s)
		down := c.kill(t, leader)
		next := c.leader(t, s)
		return fmt.Sprintf("%s was killed, ready again after %s, %s leads; %s", leader.Name, down.Round(100*time.Millisecond), next.Name, w.end(t))
	})
	r.check(t, "kill PostgreSQL", func(t *testing.T) string {
		w := startWriter("postgres")
		time.Sleep(time.Second)
		down := c.kill(t, c.pods(t, "data", "app=postgres")[0])
		answered := eventually(t, "a write is acknowledged again", time.Minute, func() error {
			if ok, told := register("again.hawser.id", newAccount(1_000_000)); !ok {
				return fmt.Errorf("%s", told)
			}
			return nil
		})
		return fmt.Sprintf("ready again after %s, writing %s later; %s", down.Round(100*time.Millisecond), answered.Round(100*time.Millisecond), w.end(t))
	})
}

// leader returns the pod of the server that leads the NATS cluster, as each server tells of itself.
func (c *cluster) leader(t *testing.T, s scenario) (leader corev1.Pod) {
	t.Helper()
	client := &http.Client{Timeout: 2 * time.Second}
	eventually(t, "a leader", time.Minute, func() error {
		for _, p := range c.pods(t, s.name, "app.kubernetes.io/component=nats") {
			res, err := client.Get("http://" + p.Status.PodIP + ":8222/jsz")
			if err != nil {
				continue
			}
			var told struct {
				Meta struct{ Leader string } `json:"meta_cluster"`
			}
			err = json.NewDecoder(res.Body).Decode(&told)
			_ = res.Body.Close()
			if err == nil && strings.EqualFold(told.Meta.Leader, p.Name) {
				leader = p
				return nil
			}
		}
		return fmt.Errorf("no server leads")
	})
	return leader
}
