//go:build cluster

package live

import (
	"context"
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
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// table is what the run prints at its end.
type table struct {
	rows []string
}

// check runs one check as a subtest, and records what it returned and how long it took.
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

// unless runs one check, or skips it if lack says what is missing for it.
func (r *table) unless(t *testing.T, lack, name string, check func(t *testing.T) (told string)) {
	t.Helper()
	if lack != "" {
		r.rows = append(r.rows, name+"\tskipped: "+lack+"\t")
		return
	}
	r.check(t, name, check)
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
		if only := os.Getenv("SCENARIO"); only != "" && only != s.name {
			r.rows = append(r.rows, "install "+s.name+"\tskipped: SCENARIO is "+only+"\t")
			continue
		}
		var cases *caseRun
		var page site
		installed := r.check(t, "install "+s.name, func(t *testing.T) string {
			c.prepare(t, s, postgres, credentials)
			switch s.name {
			case "split":
				cases = c.startCases(t, s.name)
				s.values += "\n---\n" + cases.values
			case "single":
				page = c.startSite(t)
				s.values += "\n---\n" + c.siteValues(t, s.name, page)
			}
			c.validate(t, s)
			c.install(t, s)
			c.helmTest(t, s)
			if ok, told := register(s.name+".hawser.id", newAccount(0)); !ok {
				t.Fatal(told)
			}
			if err := askEachProtocol(s.name + ".hawser.id"); err != nil {
				t.Fatal(err)
			}
			return "every object valid by --validate=strict, helm test passed, a name was registered, answers in five protocols"
		})
		if s.name == "production" && installed {
			r.check(t, "autoscaling of production", func(t *testing.T) string { return c.autoscalers(t, s) })
		}
		if s.name == "single" && installed {
			r.unless(t, browserLack(), "a browser through the door", func(t *testing.T) string { return c.journey(t, page) })
		}
		if s.name == "split" && installed {
			r.unless(t, policiesLack(), "network policies", func(t *testing.T) string { return c.policies(t, s) })
			c.breaks(t, &r, s)
			r.check(t, "the case files through the door", cases.ask)
		}
		if !r.check(t, "remove "+s.name, func(t *testing.T) string { c.remove(t, s); return "nothing left" }) {
			return
		}
	}
}

// autoscalers waits until every autoscaler has read the CPU usage of its pods.
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
		logs := c.followLogs(s.name)
		l := startLoad(t, perSecond, asked...)
		time.Sleep(time.Second)
		change()
		time.Sleep(2 * time.Second)
		failed, told := l.end(t)
		logs.end(t, failed > 0)
		if failed > 0 {
			c.tell(t, s.name)
			t.Error(told)
		}
		return told
	}
	r.check(t, fmt.Sprintf("rolling upgrade at %d requests/s", perSecond), func(t *testing.T) string {
		return steady(t, func() {
			run(t, nil, append(c.helm(t, s, "upgrade"), "--set", "config.log.level=warn", "--wait", "--timeout", "4m")...)
			eventually(t, "the replaced pods have stopped", time.Minute, func() error { return c.podsAreReady(s) })
			time.Sleep(5 * time.Second)
		})
	})
	r.check(t, "scale the gateway to 1, to 3, to 1", func(t *testing.T) string {
		return steady(t, func() {
			for _, replicas := range []int{1, 3, 1} {
				run(t, nil, "kubectl", "-n", s.name, "scale", "deployment/hawser-gateway", fmt.Sprintf("--replicas=%d", replicas))
				run(t, nil, "kubectl", "-n", s.name, "rollout", "status", "deployment/hawser-gateway", "--timeout=1m")
				eventually(t, "the pods that were too many have stopped", time.Minute, func() error { return c.podsAreReady(s) })
			}
		})
	})
	r.check(t, "eviction against the budgets", func(t *testing.T) string {
		run(t, nil, "kubectl", "-n", s.name, "scale", "deployment/hawser-gateway", "--replicas=2")
		run(t, nil, "kubectl", "-n", s.name, "rollout", "status", "deployment/hawser-gateway", "--timeout=1m")
		return steady(t, func() { c.evict(t, s) }) + "; the second eviction was refused"
	})
	r.check(t, "drain the only node", func(t *testing.T) string {
		left := 0
		return steady(t, func() { left = c.drain(t, s) }) + fmt.Sprintf("; %d pods left, and the budgets kept the rest", left)
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
	r.check(t, "restore of the database", func(t *testing.T) string { return c.restores(t, s) })
	r.check(t, "scale by open streams", func(t *testing.T) string { return c.scalesByStreams(t, s) })
	r.check(t, "after all of it", func(t *testing.T) string {
		eventually(t, "every pod is ready", time.Minute, func() error { return c.podsAreReady(s) })
		c.helmTest(t, s)
		if err := askEachProtocol(s.name + ".hawser.id"); err != nil {
			t.Fatal(err)
		}
		return steady(t, func() { time.Sleep(5 * time.Second) })
	})
}

// evict evicts one of two pods of the gateway, and tries the other before the first is replaced.
func (c *cluster) evict(t *testing.T, s scenario) {
	t.Helper()
	pods := c.pods(t, s.name, "app.kubernetes.io/component=gateway")
	if len(pods) != 2 {
		t.Fatalf("%d pods", len(pods))
	}
	evict := func(p corev1.Pod) error {
		return c.PolicyV1().Evictions(s.name).Evict(t.Context(), &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: p.Name, Namespace: s.name}})
	}
	// The budget counts the pods of the last step a moment later.
	eventually(t, "the first eviction", time.Minute, func() error { return evict(pods[0]) })
	if err := evict(pods[1]); !apierrors.IsTooManyRequests(err) {
		t.Errorf("the second eviction was answered with %v", err)
	}
	run(t, nil, "kubectl", "-n", s.name, "wait", "pod/"+pods[0].Name, "--for=delete", "--timeout=1m")
	run(t, nil, "kubectl", "-n", s.name, "rollout", "status", "deployment/hawser-gateway", "--timeout=1m")
}

// drain evicts every pod of the suite that the disruption budgets allow, while there is no other node, and then makes the node schedulable again. It returns
// how many pods were evicted.
func (c *cluster) drain(t *testing.T, s scenario) (left int) {
	t.Helper()
	_, err := try(t, nil, "kubectl", "drain", nodeName, "--pod-selector=app.kubernetes.io/name=hawser", "--delete-emptydir-data", "--timeout=30s")
	if err == nil || !strings.Contains(err.Error(), "disruption budget") {
		t.Errorf("the drain ended with %v", err)
	}
	budgets, err := c.PolicyV1().PodDisruptionBudgets(s.name).List(t.Context(), metav1.ListOptions{})
	if err != nil || len(budgets.Items) == 0 {
		t.Fatalf("%d budgets: %v", len(budgets.Items), err)
	}
	for _, b := range budgets.Items {
		left += int(b.Status.ExpectedPods - b.Status.CurrentHealthy)
		if b.Status.CurrentHealthy != b.Status.DesiredHealthy {
			t.Errorf("%s keeps %d of %d pods, has %d", b.Name, b.Status.DesiredHealthy, b.Status.ExpectedPods, b.Status.CurrentHealthy)
		}
	}
	run(t, nil, "kubectl", "uncordon", nodeName)
	eventually(t, "the pods are back", 2*time.Minute, func() error { return c.podsAreReady(s) })
	return left
}

// suitePods selects the pods of the suite, and what makes them.
var suitePods = metav1.ListOptions{LabelSelector: "app.kubernetes.io/name=hawser,app.kubernetes.io/component notin (test,migrate)"}

// podsAreReady reports which pod of the suite is not ready, or stops.
func (c *cluster) podsAreReady(s scenario) error {
	list, err := c.CoreV1().Pods(s.name).List(context.Background(), suitePods)
	if err != nil {
		return err
	}
	for _, p := range list.Items {
		switch ready := slices.ContainsFunc(p.Status.ContainerStatuses, func(s corev1.ContainerStatus) bool { return s.Ready }); {
		case p.DeletionTimestamp != nil:
			return fmt.Errorf("%s stops", p.Name)
		case !ready:
			return fmt.Errorf("%s is not ready", p.Name)
		}
	}
	return nil
}

// leader returns the pod of the server that leads the NATS cluster, according to the servers themselves.
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
