package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/yaml"
)

func pod(namespace, name, address string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"app": name}},
		Status:     corev1.PodStatus{Phase: corev1.PodRunning, PodIP: address},
	}
}

func policy(t *testing.T, name, spec string) *networkingv1.NetworkPolicy {
	t.Helper()
	p := &networkingv1.NetworkPolicy{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}
	if err := yaml.Unmarshal([]byte(spec), &p.Spec); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWhatAPolicyAllows(t *testing.T) {
	web, store, other := pod("shop", "web", "10.0.0.1"), pod("shop", "store", "10.0.0.2"), pod("else", "web", "10.0.0.3")
	for _, tt := range []struct {
		name, spec string
		egress     bool
		want       []string
	}{
		{name: "nothing, where there are no rules", spec: `{podSelector: {}, policyTypes: [Ingress]}`},
		{name: "everything, by an empty rule", spec: `{podSelector: {}, policyTypes: [Ingress], ingress: [{}]}`, want: []string{" "}},
		{
			name: "pods of its own namespace, by their labels", want: []string{"ip saddr { 10.0.0.1 } tcp dport 5432"},
			spec: `{podSelector: {matchLabels: {app: store}}, policyTypes: [Ingress], ingress: [{from: [{podSelector: {matchLabels: {app: web}}}], ports: [{port: 5432}]}]}`,
		},
		{
			name: "pods of other namespaces, by those labels", want: []string{"ip saddr { 10.0.0.3 } "},
			spec: `{podSelector: {}, policyTypes: [Ingress], ingress: [{from: [{namespaceSelector: {matchLabels: {team: else}}}]}]}`,
		},
		{
			name: "pods that two selectors select together", want: nil,
			spec: `{podSelector: {}, policyTypes: [Ingress], ingress: [{from: [{namespaceSelector: {matchLabels: {team: else}}, podSelector: {matchLabels: {app: store}}}]}]}`,
		},
		{
			name: "addresses without exceptions, and ranges of ports", egress: true,
			want: []string{"ip daddr 0.0.0.0/0 ip daddr != { 10.0.0.0/8, 192.168.0.0/16 } tcp dport 400-443", "ip daddr 0.0.0.0/0 ip daddr != { 10.0.0.0/8, 192.168.0.0/16 } udp dport 53"},
			spec: `{podSelector: {}, policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 0.0.0.0/0, except: [10.0.0.0/8, 192.168.0.0/16]}}, {ipBlock: {cidr: "::/0"}}], ports: [{port: 400, endPort: 443}, {port: 53, protocol: UDP}]}]}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := world{
				policies: []*networkingv1.NetworkPolicy{policy(t, "one", tt.spec)}, pods: []*corev1.Pod{web, store, other},
				namespaces: map[string]labels.Set{"shop": {}, "else": {"team": "else"}},
			}
			d := directions[1]
			if tt.egress {
				d = directions[0]
			}
			got, isIsolated, err := w.allowed(d, store)
			if err != nil || !isIsolated || !slices.Equal(got, tt.want) {
				t.Errorf("got %q, isolated %t, %v", got, isIsolated, err)
			}
			if _, isIsolated, _ := w.allowed(d, other); isIsolated {
				t.Error("a pod of another namespace is isolated")
			}
			isValid(t, &w)
		})
	}
}

// isValid has nft check the rules, where this user may.
func isValid(t *testing.T, w *world) {
	t.Helper()
	script, err := w.rules()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("nft"); err != nil || os.Getuid() != 0 {
		return
	}
	cmd := exec.Command("nft", "--check", "-f", "-")
	cmd.Stdin = strings.NewReader(script)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s\n%s", err, out, script)
	}
}

func TestAPodThatEndedIsNoPeer(t *testing.T) {
	ended := pod("shop", "web", "10.0.0.1")
	ended.Status.Phase = corev1.PodSucceeded
	w := world{
		policies: []*networkingv1.NetworkPolicy{policy(t, "one", `{podSelector: {}, policyTypes: [Ingress], ingress: [{from: [{podSelector: {}}]}]}`)},
		pods:     []*corev1.Pod{ended, pod("shop", "store", "10.0.0.2")},
	}
	script, err := w.rules()
	if err != nil || strings.Contains(script, "10.0.0.1") || !strings.Contains(script, "ip saddr { 10.0.0.2 } return") {
		t.Errorf("%v\n%s", err, script)
	}
}

func TestAPortByNameIsRefused(t *testing.T) {
	w := world{
		policies: []*networkingv1.NetworkPolicy{policy(t, "one", `{podSelector: {}, policyTypes: [Ingress], ingress: [{ports: [{port: http}]}]}`)},
		pods:     []*corev1.Pod{pod("shop", "web", "10.0.0.1")},
	}
	if _, err := w.rules(); err == nil || !strings.Contains(err.Error(), "shop/one") {
		t.Errorf("got %v", err)
	}
}
