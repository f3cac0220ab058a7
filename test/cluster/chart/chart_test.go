// Package chart tests deploy/charts/hawser without a cluster: what Helm renders is what Kubernetes takes, and what Hawser takes.
package chart

import (
	"bytes"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	helmcmd "helm.sh/helm/v4/pkg/cmd"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"

	"github.com/hawser-dev/hawser/test/cluster/certificate"
)

const chart = "../../../deploy/charts/hawser"

var update = flag.Bool("update", false, "write the schema and the table of values")

// scenarios are the values files of the chart, and what is set beside them.
var scenarios = map[string][]string{
	"single": nil, "split": nil, "external": nil, "minimal": nil, "production": nil,
	"split with onramp alone":    {"-f", chart + "/values-split.yaml", "--set", "split.onramp.targets={onramp},split.control.targets={projects,analytics,handoff,directory}"},
	"split with the console":     {"-f", chart + "/values-split.yaml", "--set", "console.enabled=true,console.origin=https://console.example.org,networkPolicy.consoleFrom[0].podSelector.matchLabels.app=proxy"},
	"split with a cache":         {"-f", chart + "/values-split.yaml", "--set", "config.chains.cache.enabled=true"},
	"split with metrics of pods": {"-f", chart + "/values-split.yaml", "--set", "split.relay.autoscaling.enabled=true,split.relay.autoscaling.pods.hawser_relay_connections=20000,split.accounts.autoscaling.enabled=true,split.accounts.autoscaling.cpu=0,split.accounts.autoscaling.pods.hawser_rpc_streams=5k"},
	"split with an interval":     {"-f", chart + "/values-split.yaml", "--set", "nats.syncInterval=10s"},
	"single with the console":    {"-f", chart + "/values-single.yaml", "--set", "console.enabled=true"},
	"split with TLS":             {"-f", chart + "/values-split.yaml", "--set", "tls.issuerRef.name=private,tls.issuerRef.kind=ClusterIssuer"},
	"external with TLS":          {"-f", chart + "/values-external.yaml", "--set", "tls.existingSecret=hawser-tls"},
	"split with the Gateway API": {"-f", chart + "/values-split.yaml", "--set", "gatewayAPI.enabled=true,gatewayAPI.host=api.example.org,gatewayAPI.frameHost=wallet.example.net,gatewayAPI.parentRefs[0].name=public,metrics.podMonitor.enabled=true"},
}

// custom are the kinds of custom resources; their fields are not checked here.
var custom = []string{"HTTPRoute", "ServiceMonitor", "PodMonitor", "PrometheusRule", "Certificate"}

func template(args ...string) (string, error) {
	var out bytes.Buffer
	all := append([]string{"template", "hawser", chart, "--namespace", "wallets", "--kube-version", "1.36.3"}, args...)
	cmd, err := helmcmd.NewRootCmd(&out, all, func(bool) {})
	if err != nil {
		return "", err
	}
	cmd.SetArgs(all)
	cmd.SetOut(&out)
	cmd.SetErr(io.Discard)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err = cmd.Execute()
	return out.String(), err
}

// render returns the objects of a scenario, decoded without tolerance for unknown or repeated fields.
func render(t *testing.T, name string) (objects []runtime.Object) {
	t.Helper()
	args := scenarios[name]
	if args == nil {
		args = []string{"-f", chart + "/values-" + name + ".yaml"}
	}
	out, err := template(args...)
	if err != nil {
		t.Fatal(err)
	}
	decoder := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	documents := yaml.NewDocumentDecoder(io.NopCloser(strings.NewReader(out)))
	buffer := make([]byte, 1<<20)
	for {
		n, err := documents.Read(buffer)
		if err == io.EOF {
			return objects
		}
		if err != nil {
			t.Fatal(err)
		}
		var kind metav1.TypeMeta
		raw, err := yaml.ToJSON(buffer[:n])
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &kind); err != nil {
			t.Fatal(err)
		}
		if kind.Kind == "" || slices.Contains(custom, kind.Kind) {
			continue
		}
		object, _, err := decoder.Decode(raw, nil, nil)
		if err != nil {
			t.Fatalf("%s: %v\n%s", kind.Kind, err, buffer[:n])
		}
		objects = append(objects, object)
	}
}

// pod is a pod of the chart, from any kind of object.
type pod struct {
	name string
	meta metav1.ObjectMeta
	spec corev1.PodSpec
}

func pods(objects []runtime.Object) (all []pod) {
	for _, object := range objects {
		switch o := object.(type) {
		case *appsv1.Deployment:
			all = append(all, pod{"Deployment " + o.Name, o.Spec.Template.ObjectMeta, o.Spec.Template.Spec})
		case *appsv1.StatefulSet:
			all = append(all, pod{"StatefulSet " + o.Name, o.Spec.Template.ObjectMeta, o.Spec.Template.Spec})
		case *batchv1.Job:
			all = append(all, pod{"Job " + o.Name, o.Spec.Template.ObjectMeta, o.Spec.Template.Spec})
		case *corev1.Pod:
			all = append(all, pod{"Pod " + o.Name, o.ObjectMeta, o.Spec})
		}
	}
	return all
}

func eachScenario(t *testing.T, test func(t *testing.T, objects []runtime.Object)) {
	for name := range scenarios {
		t.Run(name, func(t *testing.T) { test(t, render(t, name)) })
	}
}

func TestEveryScenarioIsValidForKubernetes(t *testing.T) {
	files, err := filepath.Glob(chart + "/values-*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if _, ok := scenarios[strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "values-"), ".yaml")]; !ok {
			t.Errorf("%s is no scenario", file)
		}
	}
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		if len(pods(objects)) == 0 {
			t.Error("no pods")
		}
	})
}

func TestEveryPodIsRestrictedAndBounded(t *testing.T) {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		for _, p := range pods(objects) {
			for _, result := range evaluator.EvaluatePod(api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}, &p.meta, &p.spec) {
				if !result.Allowed {
					t.Errorf("%s: %s: %s", p.name, result.ForbiddenReason, result.ForbiddenDetail)
				}
			}
			if strings.HasPrefix(p.name, "Pod ") && p.spec.ActiveDeadlineSeconds == nil {
				t.Errorf("%s may restart for ever", p.name)
			}
			if p.spec.AutomountServiceAccountToken == nil || *p.spec.AutomountServiceAccountToken {
				t.Errorf("%s has a token", p.name)
			}
			for _, c := range p.spec.Containers {
				if c.SecurityContext.ReadOnlyRootFilesystem == nil || !*c.SecurityContext.ReadOnlyRootFilesystem {
					t.Errorf("%s can write to its image", p.name)
				}
				if c.Resources.Limits.Memory().IsZero() || c.Resources.Requests.Cpu().IsZero() || c.Resources.Requests.Memory().IsZero() {
					t.Errorf("%s has no bound", p.name)
				}
			}
		}
	})
}

// The chart makes no secret but the password of its own NATS servers.
func TestOneSecretIsMade(t *testing.T) {
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		for _, object := range objects {
			secret, ok := object.(*corev1.Secret)
			if !ok {
				continue
			}
			password := string(secret.Data["password"])
			if secret.Name != "hawser-nats-password" || len(secret.Data) != 1 || !regexp.MustCompile(`^[a-z][A-Za-z0-9]{31}$`).MatchString(password) {
				t.Errorf("Secret %s with %d values, a password of %d bytes", secret.Name, len(secret.Data), len(password))
			}
		}
	})
}

func TestNATSHasAPassword(t *testing.T) {
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		for _, object := range objects {
			if config, ok := object.(*corev1.ConfigMap); ok && config.Data["nats.conf"] != "" && !strings.Contains(config.Data["nats.conf"], "authorization { user: hawser, password: $NATS_PASSWORD }") {
				t.Errorf("anyone may connect to NATS:\n%s", config.Data["nats.conf"])
			}
		}
	})
}

// Pods and NATS servers find each other by the names of the certificate that cert-manager makes.
func TestTheCertificateHasTheNamesByWhichPodsAreCalled(t *testing.T) {
	out, err := template(scenarios["split with TLS"]...)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"dnsNames:\n    - hawser.wallets.svc\n    - hawser-nats\n    - hawser-nats-0.hawser-nats-peers\n    - hawser-nats-1.hawser-nats-peers\n    - hawser-nats-2.hawser-nats-peers\n",
		"secretName: hawser-tls\n", "      name: hawser.wallets.svc\n", "@hawser-nats:4222\"", "@hawser-nats-2.hawser-nats-peers:6222\"",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the chart does not render %q", want)
		}
	}
	files, err := certificate.Secret("hawser", "wallets", 3)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode([]byte(files["tls.crt"]))
	made, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if names := "dnsNames:\n    - " + strings.Join(made.DNSNames, "\n    - ") + "\n"; !strings.Contains(out, names) {
		t.Errorf("the tests on a cluster use another certificate: %s", names)
	}
}

func TestSecretsReachOnlyThePodsThatNeedThem(t *testing.T) {
	for scenario, needs := range map[string][]string{
		"split":              {"accounts", "control", "keys", "migrate"},
		"split with a cache": {"accounts", "control", "keys", "migrate", hostOf(t, "chains")},
	} {
		for _, p := range pods(render(t, scenario)) {
			names := map[string]bool{}
			for _, e := range p.spec.Containers[0].Env {
				names[e.Name] = true
			}
			component := p.meta.Labels["app.kubernetes.io/component"]
			if stores := slices.Contains(needs, component); names["HAWSER_STORE_DSN"] != stores {
				t.Errorf("%s: %s has the database's URL: %v", scenario, p.name, !stores)
			}
			if names["HAWSER_WALLET_KEY_FILE"] != (component == "keys") {
				t.Errorf("%s: %s has the key of wallets: %v", scenario, p.name, component != "keys")
			}
		}
	}
}

// certificates returns a folder with the files of the Secret by which pods know each other.
func certificates(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	files, err := certificate.Secret("hawser", "wallets", 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// hostOf returns the Deployment of the split suite that hosts a target.
func hostOf(t *testing.T, target string) string {
	t.Helper()
	for _, p := range pods(render(t, "split")) {
		for _, e := range p.spec.Containers[0].Env {
			if e.Name == "HAWSER_TARGET" && slices.Contains(strings.Split(e.Value, ","), target) {
				return p.meta.Labels["app.kubernetes.io/component"]
			}
		}
	}
	t.Fatalf("no Deployment hosts %s", target)
	return ""
}

// Hawser itself reads what each Deployment gives it.
func TestHawserAcceptsTheConfigurationOfEveryDeployment(t *testing.T) {
	binary, err := filepath.Abs("../../../.tmp/bin/hawser")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(binary); err != nil {
		t.Fatal("build it first: go build -trimpath -o .tmp/bin/hawser ./gateway/cmd/hawser")
	}
	certificates := certificates(t)
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		file := filepath.Join(t.TempDir(), "hawser.yaml")
		for _, object := range objects {
			if config, ok := object.(*corev1.ConfigMap); ok && config.Data["hawser.yaml"] != "" {
				if err := os.WriteFile(file, []byte(strings.ReplaceAll(config.Data["hawser.yaml"], "/etc/hawser/tls", certificates)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, p := range pods(objects) {
			if !strings.HasPrefix(p.name, "Deployment") {
				continue
			}
			cmd := exec.Command(binary, "config", "check", "-config", file)
			for _, e := range p.spec.Containers[0].Env {
				if e.ValueFrom != nil {
					e.Value = "postgres://from-a-secret/hawser"
				}
				if e.Name != "HAWSER_CONFIG" {
					cmd.Env = append(cmd.Env, e.Name+"="+strings.ReplaceAll(e.Value, "$(NATS_PASSWORD)", "fromasecret"))
				}
			}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s", p.name, err, out)
			}
		}
	})
}

// The server itself reads its configuration, with the variables that the pod has.
func TestNATSAcceptsItsConfiguration(t *testing.T) {
	binary, err := filepath.Abs("../../../.tmp/bin/nats-server")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(binary); err != nil {
		t.Fatal("build it first: make .tmp/bin/nats-server")
	}
	certificates := certificates(t)
	checked := 0
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		file := filepath.Join(t.TempDir(), "nats.conf")
		for _, object := range objects {
			if config, ok := object.(*corev1.ConfigMap); ok && config.Data["nats.conf"] != "" {
				if err := os.WriteFile(file, []byte(strings.ReplaceAll(config.Data["nats.conf"], "/etc/nats-tls", certificates)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, p := range pods(objects) {
			if !strings.HasPrefix(p.name, "StatefulSet") {
				continue
			}
			cmd := exec.Command(binary, "-t", "-c", file)
			for _, e := range p.spec.Containers[0].Env {
				if e.ValueFrom != nil {
					e.Value = "fromelsewhere"
				}
				cmd.Env = append(cmd.Env, e.Name+"="+strings.ReplaceAll(e.Value, "$(NATS_PASSWORD)", "fromelsewhere"))
			}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
			checked++
		}
	})
	if checked == 0 {
		t.Error("no scenario runs NATS")
	}
}

// Every call that a Deployment is configured for is allowed on both sides, and nothing is allowed to pods that are not there.
func TestNetworkPoliciesAllowExactlyTheCallsOfTheSuite(t *testing.T) {
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		var policies []*networkingv1.NetworkPolicy
		for _, object := range objects {
			if p, ok := object.(*networkingv1.NetworkPolicy); ok {
				policies = append(policies, p)
			}
		}
		all := pods(objects)
		for _, from := range all {
			wanted := map[string]bool{}
			for _, e := range from.spec.Containers[0].Env {
				if e.Name == "HAWSER_PEERS" {
					var peers map[string]string
					if err := json.Unmarshal([]byte(e.Value), &peers); err != nil {
						t.Fatal(err)
					}
					for _, address := range peers {
						wanted[address] = true
					}
				}
				if _, address, ok := strings.Cut(e.Value, "://"); ok && e.Name == "HAWSER_BUS_URL" {
					wanted[address[strings.LastIndex(address, "@")+1:]] = true
				}
			}
			for _, to := range all {
				for _, port := range []int{4222, 5174, 5555, 6222, 8080, 8090, 8222, 9000, 9090} {
					_, object, _ := strings.Cut(to.name, " ")
					want := wanted[object+":"+itoa(port)]
					isNATS := strings.HasSuffix(object, "-nats")
					want = want || isNATS && from.name == to.name && port == 6222
					want = want || from.meta.Labels["app.kubernetes.io/component"] == "test" && strings.HasPrefix(to.name, "Deployment") && port == 9090
					if got := sends(policies, from, to, port) && receives(policies, from, to, port); got != want {
						t.Errorf("%s to port %d of %s: allowed %v, needed %v", from.name, port, to.name, got, want)
					}
				}
			}
		}
	})
}

// The console calls only the identity provider outside the cluster.
func TestTheConsoleReachesOutWithAnIdentityProviderOnly(t *testing.T) {
	for config, want := range map[string]bool{"config.log.level=info": false, "config.console.session_idle=1h": false, "config.console.oidc.issuer=https://login.example.org": true} {
		out, err := template("-f", chart+"/values-split.yaml", "--set", "console.enabled=true", "--set", config, "-s", "templates/networkpolicies.yaml")
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for policy := range strings.SplitSeq(out, "\n---\n") {
			if strings.Contains(policy, "name: hawser-console\n") {
				found = true
				if got := strings.Contains(policy, "ipBlock"); got != want {
					t.Errorf("%s: reaches out: %v\n%s", config, got, policy)
				}
			}
		}
		if !found {
			t.Errorf("%s: there is no policy of the console in\n%s", config, out)
		}
	}
}

func itoa(n int) string { return string(mustJSON(n)) }

func mustJSON(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

func selects(s *metav1.LabelSelector, p pod) bool {
	selector, err := metav1.LabelSelectorAsSelector(s)
	return err == nil && selector.Matches(labels.Set(p.meta.Labels))
}

// sends reports whether a policy of from names the pods of to.
func sends(policies []*networkingv1.NetworkPolicy, from, to pod, port int) bool {
	for _, p := range policies {
		if selects(&p.Spec.PodSelector, from) {
			for _, rule := range p.Spec.Egress {
				if hasPort(rule.Ports, port) && hasPeer(rule.To, to) {
					return true
				}
			}
		}
	}
	return false
}

func receives(policies []*networkingv1.NetworkPolicy, from, to pod, port int) bool {
	for _, p := range policies {
		if selects(&p.Spec.PodSelector, to) {
			for _, rule := range p.Spec.Ingress {
				if hasPort(rule.Ports, port) && (len(rule.From) == 0 || hasPeer(rule.From, from)) {
					return true
				}
			}
		}
	}
	return false
}

func hasPort(ports []networkingv1.NetworkPolicyPort, port int) bool {
	return slices.ContainsFunc(ports, func(p networkingv1.NetworkPolicyPort) bool { return p.Port.IntValue() == port })
}

func hasPeer(peers []networkingv1.NetworkPolicyPeer, p pod) bool {
	return slices.ContainsFunc(peers, func(peer networkingv1.NetworkPolicyPeer) bool {
		return peer.PodSelector != nil && peer.NamespaceSelector == nil && selects(peer.PodSelector, p)
	})
}

func TestValuesThatCannotWorkAreRefused(t *testing.T) {
	single := []string{"-f", chart + "/values-single.yaml"}
	for set, want := range map[string]string{
		"nothing":                  "persistence.enabled",
		"mode=double":              "mode",
		"replicas=3":               "replicas",
		"single.all.replica=3":     "replica",
		"nats.replicas=2":          "replicas",
		"nats.syncInterval=10s":    "nats.syncInterval: one server",
		"nats.syncInterval=seldom": "nats.syncInterval: write always",
		"mode=split,split.relay.autoscaling.enabled=true,split.relay.autoscaling.cpu=0":                              "split.relay.autoscaling: set cpu or pods",
		"mode=split,split.relay.autoscaling.enabled=true,split.relay.autoscaling.pods.hawser_relay_connections=many": "split.relay.autoscaling.pods.hawser_relay_connections: the average",
		"mode=split,postgres.existingSecret=":                                                                        "mode split needs PostgreSQL",
		"nats.enabled=false":                                                                                         "nats.url",
		"walletKey.existingSecret=":                                                                                  "walletKey.existingSecret",
		"ingress.enabled=true":                                                                                       "ingress.host",
		"service.type=NodePort,config.gateway.trust_forwarded_for=true":                                              "config.gateway.trusted_hops",
		"service.type=LoadBalancer,ingress.enabled=true,ingress.host=a.example,ingress.frameHost=b.example":          "networkPolicy.ingressFrom",
		"config.store.dsn=postgres://u:p@h/d":                                                                        "config.store.dsn: it is a secret",
		"config.bundler.executors[0]=abc":                                                                            "config.bundler.executors: it is a secret",
		"config.wallet.mail.password=hunter2":                                                                        "config.wallet.mail.password: it is a secret",
		"config.wallet.social.apple.key=-----BE":                                                                     "config.wallet.social.apple.key: it is a secret",
		"config.convert.vendors.0x.key=abc":                                                                          "config.convert.vendors.*.key: it is a secret; put it in a Secret, name that in secretEnv",
		"config.activity.archives.eip155:1=https://api.etherscan.io/v2/api?chainid=1&apikey=abc":                     "config.activity.archives.*: it has a key or a password; put that in a Secret, name it in secretEnv",
		"config.chains.nodes.eip155:1[0]=https://user:abc@node.example":                                              "config.chains.nodes.*: it has a key or a password",
		"config.chains.nodes.eip155:1[0]=https://user:abc@node.example/${NODE_KEY}":                                  "config.chains.nodes.*: it has a key or a password",
		"config.chains.nodes.eip155:1[0]=https://abc@node.example/${NODE_KEY}":                                       "config.chains.nodes.*: it has a key or a password",
		"config.chains.nodes.eip155:1[0]=https://mainnet.infura.io/v3/0123456789abcdef0123456789abcdef":              "config.chains.nodes.*: it has a key or a password",
		"config.chains.nodes.eip155:1[0]=https://one.example/0123456789abcdef0123456789abcdef/${NODE}":               "config.chains.nodes.*: it has a key or a password",
		"config.chains.nodes.eip155:1[0]=https://${NODE}.example/rpc?dkey=abc":                                       "config.chains.nodes.*: it has a key or a password",
		"config.convert.vendors.0x.url=https://api.example/v1?chain=1&key=Zm9vYmFyMTIzNDU2Nzg5MA&id=${ID}":           "config.convert.vendors.*.url: it has a key or a password",
	} {
		args := append(slices.Clone(single), "--set", set)
		if set == "nothing" {
			args = nil
		}
		if _, err := template(args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", set, err)
		}
	}
	for _, set := range []string{
		"service.type=NodePort",
		"service.type=NodePort,config.gateway.trust_forwarded_for=true,config.gateway.trusted_hops=2",
		"service.type=LoadBalancer,ingress.enabled=true,ingress.host=a.example,ingress.frameHost=b.example,networkPolicy.ingressFrom[0].ipBlock.cidr=10.0.0.0/8",
		"config.wallet.social.apple.key=file:/etc/hawser/secrets/apple/key",
		"config.convert.vendors.0x.key=${ZEROEX_KEY}",
		"config.convert.vendors.1inch.contracts.eip155:1[0]=0x111111125421cA6dc452d289314280a0f8842A65",
		"config.activity.archives.eip155:1=https://api.etherscan.io/v2/api?chainid=1&apikey=${ETHERSCAN_KEY}",
		"config.activity.archives.eip155:100=https://gnosis.blockscout.com/api",
		"config.chains.nodes.eip155:1[0]=https://node.example/${NODE_KEY}",
		"config.chains.nodes.eip155:1[0]=https://user:${PASSWORD}@node.example/v3/${NODE_KEY}",
		"config.chains.nodes.eip155:43114[0]=http://127.0.0.1:9650/ext/bc/C/rpc",
		"config.chains.nodes.eip155:1[0]=https://ethereum-mainnet-rpc-42.node.example/solana-mainnet-beta",
	} {
		if _, err := template(append(slices.Clone(single), "--set", set)...); err != nil {
			t.Errorf("%s: %v", set, err)
		}
	}
}
