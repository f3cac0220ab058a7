package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/hawser-dev/hawser/services/relay/relaytest"
)

const chart = "../../deploy/charts/hawser/"

// metricName is a metric of ours, of Go or of the process, in an expression of PromQL.
var metricName = regexp.MustCompile(`\b(?:hawser|go|process)_[a-z0-9_]+\b`)

// labelsOf are the names of labels in the selectors and groupings of an expression of PromQL.
var labelsOf = regexp.MustCompile(`(?:by|on) \(([^)]*)\)|\{([^}]*)\}`)

// expression is one query of a dashboard or an alert.
type expression struct{ where, text string }

func TestTheDashboardsAndTheAlertsNameMetricsThatASuiteHas(t *testing.T) {
	// A suite of the tests is reached without a certificate, and has no cache of final results.
	measured := map[string][]string{"hawser_certificate_expiry_seconds": {"host"}, "hawser_chains_calls_saved_total": {"chain", "by"}}
	for _, shape := range []string{allInOne, split} {
		s := shared(t, shape)
		for _, chain := range []string{devChain, "eip155:31338"} {
			s.get(t, "/v1/account/0x00000000000000000000000000000000fade0002/balance?currency=usd&chainId="+chain+"&projectId="+project, &struct{}{})
		}
		// What is counted by what happens.
		s.requestAs(t, "00000000000000000000000000000bad")
		for path, body := range map[string]string{
			"/v1/events?projectId=" + project: `{"events":[{"event":"MODAL_OPEN"}]}`, "/v1/onramp/webhooks/harbor-pay": `{}`,
		} {
			res, err := http.Post(s.url+path, "application/json", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
		}
		if shape == allInOne { // it has the relay
			wallet, page := s.dialRelay(t), s.dialRelay(t)
			topic := relaytest.Topic()
			wallet.MustCall(t, "irn_subscribe", map[string]any{"topic": topic})
			page.MustCall(t, "irn_publish", relaytest.Publication(topic, "measured", 1100))
			<-wallet.Deliveries
		}
		for _, address := range sharedSuites.suites[shape].metrics {
			readMetrics(t, address, measured)
		}
		if shape == allInOne { // it reads them once at the start, and again until its nodes answer
			seenSoon(t, "the funds of the bundler", func() bool {
				readMetrics(t, sharedSuites.suites[shape].metrics[0], measured)
				return measured["hawser_bundler_funds"] != nil
			})
		}
	}
	expressions := append(dashboards(t), alerts(t)...)
	if len(expressions) < 70 {
		t.Fatalf("%d expressions were found", len(expressions))
	}
	for _, e := range expressions {
		names := metricName.FindAllString(e.text, -1)
		if len(names) == 0 {
			t.Errorf("%s names no metric: %s", e.where, e.text)
		}
		var labels []string
		for _, name := range names {
			got, ok := measured[name]
			if !ok {
				t.Errorf("%s names %s, which no process exports", e.where, name)
			}
			labels = append(labels, got...)
		}
		for _, label := range labelNames(e.text) {
			if !slices.Contains(append(labels, "instance", "le"), label) {
				t.Errorf("%s names the label %s, which %v do not have", e.where, label, names)
			}
		}
	}
}

// dialRelay connects a client to the relay of the suite for the length of the test.
func (s *suite) dialRelay(t *testing.T) *relaytest.Client {
	t.Helper()
	client, err := relaytest.DialContext(t.Context(), "ws://"+s.address()+"/v1/relay", relaytest.Options{Query: url.Values{"projectId": {project}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func TestEveryAlertHasARunbook(t *testing.T) {
	raw, err := os.ReadFile("../../docs/runbooks.md")
	if err != nil {
		t.Fatal(err)
	}
	var sections []string
	for line := range strings.SplitSeq(string(raw), "\n") {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			sections = append(sections, name)
		}
	}
	var names []string
	for _, rule := range rules(t) {
		names = append(names, rule.Alert)
		if !strings.HasSuffix(rule.Annotations["runbook_url"], "/docs/runbooks.md#"+strings.ToLower(rule.Alert)) || rule.Annotations["summary"] == "" || rule.Labels["severity"] == "" {
			t.Errorf("%s: %v %v", rule.Alert, rule.Annotations, rule.Labels)
		}
	}
	if !slices.Equal(names, sections) {
		t.Errorf("alerts %v, runbooks %v", names, sections)
	}
}

type rule struct {
	Alert, Expr         string
	Labels, Annotations map[string]string
}

func rules(t *testing.T) (all []rule) {
	t.Helper()
	raw, err := os.ReadFile(chart + "alerts/hawser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Groups []struct{ Rules []rule } }
	if err := yaml.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	for _, g := range file.Groups {
		all = append(all, g.Rules...)
	}
	return all
}

func alerts(t *testing.T) (all []expression) {
	t.Helper()
	for _, r := range rules(t) {
		all = append(all, expression{"alert " + r.Alert, r.Expr})
	}
	return all
}

// dashboards returns the queries of the dashboards, all of which have to be of the data source that its user selects.
func dashboards(t *testing.T) (all []expression) {
	t.Helper()
	files, err := filepath.Glob(chart + "dashboards/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%q, %v", files, err)
	}
	uids := map[string]bool{}
	for _, file := range files {
		uid, found := dashboard(t, file)
		if uids[uid] {
			t.Errorf("two dashboards are %s", uid)
		}
		uids[uid] = true
		all = append(all, found...)
	}
	return all
}

func dashboard(t *testing.T, path string) (uid string, all []expression) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		UID        string
		Templating struct{ List []struct{ Name, Type string } }
		Panels     []struct {
			Type, Title string
			Targets     []struct {
				Expr       string
				Datasource struct{ UID string }
			}
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if file.UID == "" || len(file.Templating.List) != 1 || file.Templating.List[0].Name != "datasource" {
		t.Errorf("the dashboard is %q with the variables %v", file.UID, file.Templating.List)
	}
	for _, p := range file.Panels {
		if p.Type != "row" && len(p.Targets) == 0 {
			t.Errorf("panel %s has no query", p.Title)
		}
		for _, q := range p.Targets {
			if q.Datasource.UID != "${datasource}" {
				t.Errorf("panel %s queries the data source %s", p.Title, q.Datasource.UID)
			}
			all = append(all, expression{file.UID + ", panel " + p.Title, q.Expr})
		}
	}
	return file.UID, all
}

func labelNames(text string) (names []string) {
	for _, found := range labelsOf.FindAllStringSubmatch(text, -1) {
		for part := range strings.SplitSeq(found[1]+found[2], ",") {
			if name := strings.TrimSpace(strings.FieldsFunc(part+" ", func(r rune) bool { return strings.ContainsRune("=!~\"", r) })[0]); name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

// readMetrics adds the metrics of a process, with the labels that each has.
func readMetrics(t *testing.T, address string, into map[string][]string) {
	t.Helper()
	res, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(raw), "\n") {
		name, labels, _ := strings.Cut(line, "{")
		if strings.HasPrefix(line, "#") || line == "" {
			continue
		}
		name, _, _ = strings.Cut(name, " ")
		into[name] = append(into[name], labelNames("{"+labels)...)
	}
}
