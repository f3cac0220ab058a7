//go:build cluster

package live

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// bridged is the file that says whether the firewall rules of the node apply to packets between its pods.
const bridged = "/proc/sys/net/bridge/bridge-nf-call-iptables"

// policiesLack returns why node/policies cannot enforce policies here, or "".
func policiesLack() (lack string) {
	if on, err := os.ReadFile(bridged); err != nil || strings.TrimSpace(string(on)) != "1" {
		return "rules of this kernel do not see what pods of one node send each other; the objects were taken"
	}
	return ""
}

// strangerManifest is a pod that no policy names, in a namespace of its own.
const strangerManifest = `
apiVersion: v1
kind: Pod
metadata: {name: stranger, namespace: stranger, labels: {app.kubernetes.io/name: hawser, app.kubernetes.io/component: gateway}}
spec:
  automountServiceAccountToken: false
  securityContext: {runAsNonRoot: true, runAsUser: 65532, seccompProfile: {type: RuntimeDefault}}
  containers:
    - name: stranger
      image: localhost/pause:1
      imagePullPolicy: Never
      securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
`

// admission allows the namespace of that pod to connect to NATS.
var admission = networkingv1.NetworkPolicySpec{
	PodSelector: metav1.LabelSelector{MatchLabels: map[string]string{"app.kubernetes.io/component": "nats"}},
	Ingress: []networkingv1.NetworkPolicyIngressRule{{From: []networkingv1.NetworkPolicyPeer{{
		NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelMetadataName: "stranger"}},
	}}}},
}

// dialled is how a connection from within a pod ended.
type dialled string

const (
	connected dialled = "connected"
	timedOut  dialled = "timed out"
	refused   dialled = "refused"
)

// dial connects to a port from within the network namespace of a pod.
func dial(t *testing.T, from corev1.Pod, address string, port int) dialled {
	t.Helper()
	processes := processesOf(t, string(from.UID))
	if len(processes) == 0 {
		t.Fatalf("%s has no process", from.Name)
	}
	err := exec.CommandContext(t.Context(), "timeout", "3", "nsenter", "--net=/proc/"+strconv.Itoa(processes[0])+"/ns/net",
		"bash", "-c", fmt.Sprintf("exec 3<> /dev/tcp/%s/%d", address, port)).Run()
	const timeoutStatus = 124
	var exit *exec.ExitError
	switch {
	case err == nil:
		return connected
	case errors.As(err, &exit) && exit.ExitCode() == timeoutStatus:
		return timedOut
	default:
		return refused
	}
}

// policies tries connections from within pods: some that the policies of mode split allow, and some that they deny.
func (c *cluster) policies(t *testing.T, s scenario) (told string) {
	t.Helper()
	c.namespace(t, "stranger")
	run(t, []byte(strangerManifest), "kubectl", "apply", "-f", "-")
	run(t, nil, "kubectl", "-n", "stranger", "wait", "pod/stranger", "--for=condition=Ready", "--timeout=1m")
	defer run(t, nil, "kubectl", "delete", "namespace", "stranger", "--timeout=1m")
	of := func(component string) corev1.Pod {
		pods := c.pods(t, s.name, "app.kubernetes.io/name=hawser,app.kubernetes.io/component="+component)
		if len(pods) == 0 {
			t.Fatalf("no pod is of %s", component)
		}
		return pods[0]
	}
	stranger, err := c.CoreV1().Pods("stranger").Get(t.Context(), "stranger", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	gateway, chains, accounts, nats := of("gateway"), of("chains"), of("accounts"), of("nats")
	postgres := c.pods(t, "data", "app=postgres")[0]
	tries := []struct {
		from, to corev1.Pod
		port     int
		want     dialled
	}{
		{gateway, chains, 9000, connected},
		{gateway, nats, 4222, connected},
		{accounts, postgres, 5432, connected},
		{*stranger, gateway, 8080, connected},
		// Its labels are those of the gateway, in another namespace.
		{*stranger, nats, 4222, timedOut},
		{*stranger, chains, 9000, timedOut},
		{*stranger, gateway, 9090, timedOut},
		{gateway, postgres, 5432, timedOut},
		{chains, postgres, 5432, timedOut},
		{chains, gateway, 9000, timedOut},
		{nats, postgres, 5432, timedOut},
		{nats, gateway, 8080, timedOut},
	}
	allowed, denied := 0, 0
	for _, try := range tries {
		got := dial(t, try.from, try.to.Status.PodIP, try.port)
		if got != try.want {
			t.Errorf("%s/%s to %s/%s:%d %s, want %s", try.from.Namespace, try.from.Name, try.to.Namespace, try.to.Name, try.port, got, try.want)
		}
		if got == connected {
			allowed++
		} else {
			denied++
		}
	}
	if got := dial(t, gateway, nodeAddress, 6443); got != timedOut {
		t.Errorf("the gateway to the API server of the cluster: %s", got)
	}
	c.withPolicy(t, s.name, admission, func() {
		eventually(t, "a stranger reaches NATS by a policy of its own", 30*time.Second, func() error {
			if got := dial(t, *stranger, nats.Status.PodIP, 4222); got != connected {
				return errors.New(string(got))
			}
			return nil
		})
	})
	eventually(t, "NATS is closed again", 30*time.Second, func() error {
		if got := dial(t, *stranger, nats.Status.PodIP, 4222); got != timedOut {
			return errors.New(string(got))
		}
		return nil
	})
	return fmt.Sprintf("held by nft: %d allowed ways are open, %d others time out, a policy more opens NATS to a stranger, for as long as it is there", allowed, denied+1)
}

// withPolicy calls a function while a policy exists.
func (c *cluster) withPolicy(t *testing.T, namespace string, spec networkingv1.NetworkPolicySpec, do func()) {
	t.Helper()
	policies := c.NetworkingV1().NetworkPolicies(namespace)
	policy := &networkingv1.NetworkPolicy{ObjectMeta: metav1.ObjectMeta{Name: "admission"}, Spec: spec}
	if _, err := policies.Create(t.Context(), policy, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	do()
	if err := policies.Delete(t.Context(), policy.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
}
