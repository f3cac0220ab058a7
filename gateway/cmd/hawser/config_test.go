package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/config"
)

func TestConfigPrintIsReadBackAsItWas(t *testing.T) {
	_, printed, _ := ask(t, "config", "print")
	file := filepath.Join(t.TempDir(), "hawser.yaml")
	if err := os.WriteFile(file, []byte(printed), 0o600); err != nil {
		t.Fatal(err)
	}
	code, again, errOut := ask(t, "config", "print", "-config", file, "-data_dir", dataDir(t, printed))
	if code != exitOK || again != printed {
		t.Errorf("exit %d: %s\n%s", code, errOut, again)
	}
}

func TestConfigPrintHidesSecrets(t *testing.T) {
	t.Setenv("HAWSER_STORE_DSN", "postgres://hawser:hunter2@db/hawser")
	t.Setenv("HAWSER_BUS_URL", "nats://hawser:hunter2@nats:4222")
	t.Setenv("HAWSER_CHAINS_NODES", "{'eip155:1': ['https://node.example/v3/hunter2']}")
	if _, printed, _ := ask(t, "config", "print"); strings.Contains(printed, "hunter2") || !strings.Contains(printed, "nats:4222") {
		t.Error(printed)
	}
}

func TestEverySettingSaysWhatItMeans(t *testing.T) {
	c := defaultConfig()
	if bare := config.Undocumented(&c); len(bare) > 0 {
		t.Errorf("no doc tag: %s", strings.Join(bare, ", "))
	}
}

func TestConfigCheck(t *testing.T) {
	const split = "bus.url=nats://nats:4222 listen.grpc=:7000 "
	tests := []struct {
		behaviour string
		settings  string
		want      []string
	}{
		{"everything in one process", "", nil},
		{"a service that calls no other", split + "target=chains", nil},
		{"a service whose peers are known", split + "target=balances peers={chains:\u00a0'chains:7000',activity:\u00a0'activity:7000'}", nil},
		{"a target that does not exist", "target=chains,relays", []string{`-target: "relays" is not one of all, gateway, chains, projects, analytics, auth, wallet, bundler, sessions, handoff, directory, onramp, activity, balances, nfts, access, names, preview, convert, bitcoin, updates, webhooks, relay, console`}},
		{"a service in memory that other processes cannot reach", "target=chains bus.url=nats://nats:4222", []string{
			"listen.grpc: it is empty, but the services hosted here are for other processes",
		}},
		{"several processes without a bus between them", "target=projects listen.grpc=:7000", []string{
			"bus.url: it is empty, but services in several processes need one NATS server",
		}},
		{"a gateway without the addresses of its services", split + "target=gateway,chains", []string{
			"peers.projects: it is missing, but gateway calls that service",
			"peers.analytics: it is missing, but gateway calls that service",
			"peers.auth: it is missing, but gateway calls that service",
			"peers.wallet: it is missing, but gateway calls that service",
			"peers.bundler: it is missing, but gateway calls that service",
			"peers.sessions: it is missing, but gateway calls that service",
			"peers.handoff: it is missing, but gateway calls that service",
			"peers.directory: it is missing, but gateway calls that service",
			"peers.onramp: it is missing, but gateway calls that service",
			"peers.activity: it is missing, but gateway calls that service",
			"peers.balances: it is missing, but gateway calls that service",
			"peers.nfts: it is missing, but gateway calls that service",
			"peers.access: it is missing, but gateway calls that service",
			"peers.names: it is missing, but gateway calls that service",
			"peers.preview: it is missing, but gateway calls that service",
			"peers.convert: it is missing, but gateway calls that service",
			"peers.bitcoin: it is missing, but gateway calls that service",
			"peers.updates: it is missing, but gateway calls that service",
		}},
		{"a peer that does not exist", "peers={nayms:\u00a0'names:7000'}", []string{
			"-peers: peers.nayms: there is no such service; there are chains, projects, analytics, auth, wallet, bundler, sessions, handoff, directory, onramp, activity, balances, nfts, access, names, preview, convert, bitcoin, updates, webhooks, relay, console",
		}},
		{"a console", "listen.console=127.0.0.1:8090 console.origin=https://console.example.org", nil},
		{"a console at the address of the gateway", "listen.gateway=:8080 listen.console=127.0.0.1:8080", []string{
			"-listen.console: 127.0.0.1:8080 is the address of listen.gateway",
		}},
		{"a console whose address is none", "listen.console=8090", []string{`-listen.console: "8090" is not an address such as :8080 or 127.0.0.1:8080`}},
		{"an identity provider of the console", "listen.console=127.0.0.1:8090 console.oidc.issuer=login.example.org console.oidc.allowed=[{domain:\u00a0example.org,role:\u00a0admin}]", []string{
			"-console.oidc.issuer: it is not an https URL without a query, such as https://login.example.org",
			"console.oidc.client_id: it is empty, but issuer is set",
			"console.oidc.client_secret: it is empty, or a file that cannot be read",
			"-console.oidc.allowed: rule 1: its role is not one of viewer, support, operator, owner",
		}},
		{"sessions of the console that end before they begin", "console.session_idle=1s console.session_lifetime=0s console.origin=console.example.org", []string{
			"-console.origin: it is not an origin, such as https://console.example.org",
			"-console.session_idle: it is below 1m",
			"-console.session_lifetime: it is below session_idle",
		}},
		{"connections that work and its lock cannot have together", "store.connections=2", []string{"-store.connections: it is below 3"}},
		{"values of parts", "log.level=loud bus.replicas=2 projects.seed=[{id:\u00a0'1',name:\u00a0x}]", []string{
			"-bus.replicas: it is not 1, 3 or 5",
			"-log.level: it is not one of debug, info, warn, error",
			"-projects.seed: projects.seed[0]: id: it is not 32 lower-case hex digits",
		}},
		{"a node whose variable is not set", "chains.nodes={eip155:1:\u00a0['https://node.example/${HAWSER_NO_SUCH}']}", []string{
			"-chains.nodes: chains.nodes[eip155:1]: rpc node 1: HAWSER_NO_SUCH is not set in the environment",
		}},
		{"descriptors that are not there", "preview.descriptors=/no/such/folder", []string{"-preview.descriptors: open /no/such/folder: no such file or directory"}},
	}
	for _, tt := range tests {
		t.Run(tt.behaviour, func(t *testing.T) {
			args := []string{"config", "check"}
			for _, setting := range strings.Split(strings.TrimSpace(tt.settings), " ") {
				if setting != "" {
					args = append(args, "-"+strings.ReplaceAll(setting, "\u00a0", " "))
				}
			}
			code, out, errOut := ask(t, args...)
			if tt.want == nil {
				if code != exitOK || out != "The configuration is sound.\n" {
					t.Errorf("exit %d: %s", code, errOut)
				}
				return
			}
			want := "hawser: " + strings.Join(tt.want, "\nhawser: ") + "\n"
			if code != exitFailed || errOut != want {
				t.Errorf("exit %d\n%swant\n%s", code, errOut, want)
			}
		})
	}
}

func TestCommands(t *testing.T) {
	t.Run("help lists every command", func(t *testing.T) {
		for _, args := range [][]string{{"help"}, {"-h"}, {"--help"}} {
			code, out, _ := ask(t, args...)
			for _, c := range commands() {
				if code != exitOK || !strings.Contains(out, c.name) {
					t.Errorf("%v: exit %d: %s", args, code, out)
				}
			}
		}
	})
	t.Run("the help of each command has its commands, or its own flags", func(t *testing.T) {
		for _, help := range []string{"-h", "-help", "--help"} {
			for _, c := range commands() {
				describes(t, c, c.name, help)
				for _, inner := range c.commands {
					describes(t, inner, c.name+" "+inner.name, help)
				}
			}
		}
		for args, want := range map[string]string{"project set -h": "-origin value", "project stats 1 -h": "-days uint", "status -json -h": "-at string"} {
			if code, out, errOut := ask(t, strings.Fields(args)...); code != exitOK || !strings.Contains(out, "\n  "+want+"\n") || errOut != "" {
				t.Errorf("%s: exit %d: %s%s", args, code, errOut, out)
			}
		}
	})
	t.Run("one that does not exist", func(t *testing.T) {
		code, _, errOut := ask(t, "frob")
		if code != exitUsage || errOut != "hawser: there is no command \"frob\"; `hawser help` lists them\n" {
			t.Errorf("exit %d: %s", code, errOut)
		}
	})
	t.Run("health reports a service that does not answer", func(t *testing.T) {
		code, _, errOut := ask(t, "health", "-listen.metrics", "127.0.0.1:1")
		if code != exitFailed || errOut != "hawser: no process answers at 127.0.0.1:1\n" {
			t.Errorf("exit %d: %s", code, errOut)
		}
	})
}

// describes checks the help of a command: the text of its table, and none of the hundreds of settings.
func describes(t *testing.T, c command, path, help string) {
	t.Helper()
	code, out, errOut := ask(t, append(strings.Fields(path), help)...)
	wants := []string{c.summary[1:] + ".\n", "hawser " + strings.TrimSpace(path+" "+c.args)}
	for _, inner := range c.commands {
		wants = append(wants, "\n  "+inner.usage()+" ", inner.summary)
	}
	if len(c.commands) == 0 && !c.bare {
		wants = append(wants, "`hawser config print`")
	}
	for _, want := range wants {
		if code != exitOK || errOut != "" || !strings.Contains(out, want) || strings.Contains(out, "\n  -listen.gateway") {
			t.Errorf("hawser %s %s: exit %d, want %q in\n%s%s", path, help, code, want, out, errOut)
		}
	}
}

// dataDir reads back the folder that the test was given.
func dataDir(t *testing.T, printed string) string {
	t.Helper()
	_, rest, _ := strings.Cut(printed, "data_dir: ")
	dir, _, _ := strings.Cut(rest, "\n")
	return dir
}

func TestThePublicURLIsOneThatPagesCanAsk(t *testing.T) {
	for text, sound := range map[string]bool{
		"": true, "https://wallet.example.org": true, "http://localhost:8080/": true, "https://example.org/wallet": true,
		"wallet.example.org": false, "ftp://example.org": false, "https://": false, "https://example.org/?a=1": false, "https://example.org/#a": false,
		"https://me:secret@example.org": false, ":": false,
	} {
		c := defaultConfig()
		c.PublicURL = text
		if faults := c.Check(); (len(faults) == 0) != sound {
			t.Errorf("%q: %v", text, faults)
		}
	}
}

func TestThePublicURLIsThisMachineByDefault(t *testing.T) {
	c := defaultConfig()
	c.Listen.Gateway = "0.0.0.0:9000"
	if got := c.publicURL(); got != "http://localhost:9000" {
		t.Errorf("got %s", got)
	}
	c.PublicURL = "https://wallet.example.org/"
	if got := c.publicURL(); got != "https://wallet.example.org" {
		t.Errorf("got %s", got)
	}
}
