//go:build cluster

package live

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	streamsMetric     = "hawser_rpc_streams"
	customMetricsPort = 4444
	// streamsPerPod is the average of open streams that the autoscaler aims at.
	streamsPerPod = 20
)

// customMetricsManifest registers the server of [cluster.serveMetrics] for the API of custom metrics.
const customMetricsManifest = `
apiVersion: v1
kind: Service
metadata: {name: custom-metrics, namespace: kube-system}
spec: {ports: [{port: 443, targetPort: 4444}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: custom-metrics, namespace: kube-system, labels: {kubernetes.io/service-name: custom-metrics}}
addressType: IPv4
ports: [{port: 4444, protocol: TCP}]
endpoints: [{addresses: ["` + nodeAddress + `"], conditions: {ready: true}}]
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1beta2.custom.metrics.k8s.io}
spec:
  group: custom.metrics.k8s.io
  version: v1beta2
  insecureSkipTLSVerify: true
  groupPriorityMinimum: 100
  versionPriority: 100
  service: {name: custom-metrics, namespace: kube-system}
`

// scalesByStreams opens more streams than one pod of a Deployment should have, and waits until the autoscaler has added pods, which take new streams.
func (c *cluster) scalesByStreams(t *testing.T, s scenario) (told string) {
	t.Helper()
	c.serveMetrics(t)
	run(t, []byte(customMetricsManifest), "kubectl", "apply", "-f", "-")
	// A namespace is not removed while a registered API does not answer.
	defer func() { run(t, nil, "kubectl", "delete", "apiservice", "v1beta2.custom.metrics.k8s.io") }()
	run(t, nil, append(c.helm(t, s, "upgrade"), "--set",
		"config.updates.watches_per_caller=1000,split.accounts.autoscaling.enabled=true,split.accounts.autoscaling.cpu=0,split.accounts.autoscaling.minReplicas=1,"+
			fmt.Sprintf("split.accounts.autoscaling.maxReplicas=3,split.accounts.autoscaling.pods.%s=%d", streamsMetric, streamsPerPod), "--wait", "--timeout", "4m")...)
	eventually(t, "the replaced pods have stopped", time.Minute, func() error { return c.podsAreReady(s) })
	run(t, nil, "kubectl", "-n", s.name, "scale", "deployment/hawser-accounts", "--replicas=1")
	eventually(t, "one pod", time.Minute, func() error { return c.hasPods(s, 1) })

	ctx, closeStreams := context.WithCancel(t.Context())
	defer closeStreams()
	for range 2 * streamsPerPod {
		watch(t, ctx)
	}
	took := eventually(t, "more pods", 3*time.Minute, func() error {
		if err := c.hasPods(s, 2); err != nil {
			return err
		}
		return c.podsAreReady(s)
	})
	var most float64
	opened := 0
	// Gateways look up the pods again within a minute.
	eventually(t, "streams on a new pod", 3*time.Minute, func() error {
		time.Sleep(2 * time.Second)
		watch(t, ctx)
		opened++
		with := 0
		for _, p := range c.pods(t, s.name, "app.kubernetes.io/component=accounts") {
			if n, err := streams(t.Context(), p); err == nil && n > 0 {
				with++
				most = max(most, n)
			}
		}
		if with < 2 {
			return fmt.Errorf("%d pods have streams", with)
		}
		return nil
	})
	return fmt.Sprintf("%d open streams: a second pod was ready after %s, and took one of the next %d; the first has %.0f", 2*streamsPerPod, took.Round(time.Second), opened, most)
}

// hasPods reports an error if there are fewer pods of the Deployment accounts.
func (c *cluster) hasPods(s scenario, want int) error {
	list, err := c.CoreV1().Pods(s.name).List(context.Background(), metav1.ListOptions{LabelSelector: "app.kubernetes.io/component=accounts"})
	if err == nil && (len(list.Items) < want || want == 1 && len(list.Items) > 1) {
		err = fmt.Errorf("there are %d pods", len(list.Items))
	}
	return err
}

// watch opens a stream of the changes of an account, and waits for its first message. The stream is open until ctx ends.
func watch(t *testing.T, ctx context.Context) {
	t.Helper()
	message := []byte(`{"address":"0x00000000000000000000000000000000000a11ce","chainId":"eip155:31337","currency":"usd"}`)
	body := append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))), message...)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, door+"/hawser.updates.v1.UpdatesService/WatchAccount?projectId="+project, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/connect+json")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	context.AfterFunc(ctx, func() { _ = res.Body.Close() })
	head := make([]byte, 5)
	if _, err := io.ReadFull(res.Body, head); err != nil {
		t.Fatalf("%s: %v", res.Status, err)
	}
	first := make([]byte, binary.BigEndian.Uint32(head[1:]))
	if _, err := io.ReadFull(res.Body, first); err != nil || head[0] != 0 {
		t.Fatalf("the stream ended: %s %v", first, err)
	}
}

// streams reads from a pod how many streams it has open.
func streams(ctx context.Context, p corev1.Pod) (sum float64, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(p.Status.PodIP, "9090")+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer func() { _ = res.Body.Close() }()
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		if line := lines.Text(); strings.HasPrefix(line, streamsMetric) {
			value, err := strconv.ParseFloat(line[strings.LastIndexByte(line, ' ')+1:], 64)
			if err != nil {
				return 0, err
			}
			sum += value
		}
	}
	return sum, lines.Err()
}

// serveMetrics serves [streamsMetric] of pods in the API of custom metrics, as prometheus-adapter does with the rule of deploy/prometheus-adapter.yaml.
func (c *cluster) serveMetrics(t *testing.T) {
	t.Helper()
	const api = "/apis/custom.metrics.k8s.io/v1beta2"
	answer := func(w http.ResponseWriter, value any) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(value)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+api, func(w http.ResponseWriter, _ *http.Request) {
		answer(w, metav1.APIResourceList{
			TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: "custom.metrics.k8s.io/v1beta2",
			APIResources: []metav1.APIResource{{Name: "pods/" + streamsMetric, Namespaced: true, Kind: "MetricValueList", Verbs: []string{"get"}}},
		})
	})
	mux.HandleFunc("GET "+api+"/namespaces/{namespace}/pods/{pods}/"+streamsMetric, func(w http.ResponseWriter, r *http.Request) {
		namespace := r.PathValue("namespace")
		list, err := c.CoreV1().Pods(namespace).List(r.Context(), metav1.ListOptions{LabelSelector: r.FormValue("labelSelector")})
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		items := []any{}
		for _, p := range list.Items {
			if n, err := streams(r.Context(), p); err == nil {
				items = append(items, map[string]any{
					"describedObject": map[string]any{"kind": "Pod", "apiVersion": "/v1", "namespace": namespace, "name": p.Name},
					"metric":          map[string]any{"name": streamsMetric}, "timestamp": time.Now().UTC().Format(time.RFC3339), "value": strconv.FormatFloat(n, 'f', 0, 64),
				})
			}
		}
		answer(w, map[string]any{"kind": "MetricValueList", "apiVersion": "custom.metrics.k8s.io/v1beta2", "metadata": map[string]any{}, "items": items})
	})
	server := httptest.NewUnstartedServer(mux)
	listener, err := net.Listen("tcp", net.JoinHostPort(nodeAddress, strconv.Itoa(customMetricsPort)))
	if err != nil {
		t.Fatal(err)
	}
	_ = server.Listener.Close()
	server.Listener = listener
	server.StartTLS()
	t.Cleanup(server.Close)
}
