package config_test

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/config"
)

type listen struct {
	Gateway string `yaml:"gateway" doc:"address of the gateway"`
	Metrics string `yaml:"metrics"`
}

// Check refuses two listeners on one address, and one port.
func (l listen) Check() []config.Fault {
	var faults []config.Fault
	if l.Gateway == l.Metrics {
		faults = append(faults, config.Faultf("metrics", "it is the gateway's address, %s", l.Gateway))
	}
	if l.Metrics == ":1" {
		faults = append(faults, config.Faultf("metrics", "it is below 1024"))
	}
	return faults
}

type seed struct {
	ID   string `yaml:"id"`
	Name string `yaml:"name"`
}

type settings struct {
	Listen  listen              `yaml:"listen"`
	Target  string              `yaml:"target" doc:"what to run"`
	Timeout time.Duration       `yaml:"timeout"`
	Burst   uint32              `yaml:"burst"`
	Rate    float64             `yaml:"rate"`
	Strict  bool                `yaml:"strict"`
	Peers   map[string]string   `yaml:"peers"`
	Nodes   map[string][]string `yaml:"nodes" secret:"true"`
	Seeds   []seed              `yaml:"seeds"`
	Extra   map[string][]seed   `yaml:"extra"`
	DSN     string              `yaml:"dsn" secret:"url"`
	Key     string              `yaml:"key" secret:"true"`
}

func defaults() settings {
	return settings{Listen: listen{Gateway: ":8080", Metrics: ":9090"}, Target: "all", Timeout: 10 * time.Second, Burst: 5}
}

func load(t *testing.T, file string, env map[string]string, args ...string) (settings, error) {
	t.Helper()
	got := defaults()
	if file != "" {
		env = withFile(t, file, env)
	}
	flags := flag.NewFlagSet("hawser", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	err := config.Load(&got, config.Options{Flags: flags, Args: args, Environ: func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	}})
	return got, err
}

func withFile(t *testing.T, text string, env map[string]string) map[string]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hawser.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	with := map[string]string{config.EnvFile: path}
	for name, value := range env {
		with[name] = value
	}
	return with
}

func TestLoad(t *testing.T) {
	t.Run("without settings the defaults apply", func(t *testing.T) {
		got, err := load(t, "", nil)
		if err != nil || !reflect.DeepEqual(got, defaults()) {
			t.Errorf("%+v, %v", got, err)
		}
	})

	t.Run("file over defaults, environment over file, flags over environment", func(t *testing.T) {
		file := "listen: {gateway: ':1', metrics: ':2'}\ntarget: names\ntimeout: 1m\n"
		env := map[string]string{"HAWSER_LISTEN_METRICS": ":3", "HAWSER_TARGET": "chains"}
		got, err := load(t, file, env, "-target", "balances")
		want := defaults()
		want.Listen, want.Target, want.Timeout = listen{":1", ":3"}, "balances", time.Minute
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v", got, err)
		}
	})

	t.Run("reads every kind of value from each place", func(t *testing.T) {
		want := defaults()
		want.Timeout, want.Burst, want.Rate, want.Strict = 90*time.Second, 7, 0.5, true
		want.Peers = map[string]string{"names": "names:7000"}
		want.Nodes = map[string][]string{"eip155:1": {"https://a", "https://b"}}
		want.Seeds = []seed{{"1", "One"}, {"2", "Two"}}
		file := "timeout: 90s\nburst: 7\nrate: 0.5\nstrict: true\npeers: {names: 'names:7000'}\n" +
			"nodes: {'eip155:1': ['https://a', 'https://b']}\nseeds: [{id: '1', name: One}, {id: '2', name: Two}]\n"
		env := map[string]string{
			"HAWSER_TIMEOUT": "90s", "HAWSER_BURST": "7", "HAWSER_RATE": "0.5", "HAWSER_STRICT": "true", "HAWSER_PEERS": "names: names:7000",
			"HAWSER_NODES": "{'eip155:1': ['https://a', 'https://b']}", "HAWSER_SEEDS": "[{id: '1', name: One}, {id: '2', name: Two}]",
		}
		args := []string{
			"-timeout=90s", "-burst=7", "-rate=0.5", "-strict", "-peers={names: 'names:7000'}",
			"-nodes={'eip155:1': ['https://a', 'https://b']}", "-seeds=[{id: '1', name: One}, {id: '2', name: Two}]",
		}
		for place, read := range map[string]func() (settings, error){
			"file":        func() (settings, error) { return load(t, file, nil) },
			"environment": func() (settings, error) { return load(t, "", env) },
			"flags":       func() (settings, error) { return load(t, "", nil, args...) },
		} {
			if got, err := read(); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v, %v", place, got, err)
			}
		}
	})

	t.Run("variables have the prefix of the program", func(t *testing.T) {
		env := map[string]string{"HAWSER_TARGET": "chains", "OTHER_TARGET": "balances", "OTHER_STRICT": "no", "OTHER_CONFIG": withFile(t, "burst: 9", nil)[config.EnvFile]}
		got := defaults()
		err := config.Load(&got, config.Options{Prefix: "OTHER_", Environ: func(name string) (string, bool) {
			value, ok := env[name]
			return value, ok
		}})
		want := defaults()
		want.Target, want.Strict, want.Burst = "balances", false, 9
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v", got, err)
		}
	})

	t.Run("-config names the file, over the environment", func(t *testing.T) {
		env := withFile(t, "target: wrong\n", nil)
		path := withFile(t, "target: right\n", nil)[config.EnvFile]
		got, err := load(t, "", env, "-config", path)
		if err != nil || got.Target != "right" {
			t.Errorf("%q, %v", got.Target, err)
		}
	})

	t.Run("an empty section keeps its defaults, an empty file all defaults", func(t *testing.T) {
		for _, file := range []string{"listen:\n", "# nothing\n"} {
			if got, err := load(t, file, nil); err != nil || !reflect.DeepEqual(got, defaults()) {
				t.Errorf("%+v, %v", got, err)
			}
		}
	})
}

// folder is that of the file of a test.
var folder = regexp.MustCompile(`/\S*/`)

func TestLoadTellsEveryFaultOnALine(t *testing.T) {
	tests := []struct {
		name string
		file string
		env  map[string]string
		want []string
	}{
		{
			name: "keys that are no settings, with their lines",
			file: "listen:\n  gatway: ':1'\ntarget: all\nports: 3\nseeds:\n  - {id: '1', nayme: x}\nextra:\n  a: [{idd: '1'}]\n",
			want: []string{
				"hawser.yaml:2: listen.gatway: there is no such setting; here are gateway, metrics",
				"hawser.yaml:4: ports: there is no such setting; here are burst, dsn, extra, key, listen, nodes, peers, rate, seeds, strict, target, timeout",
				"hawser.yaml:6: seeds[0].nayme: there is no such setting; here are id, name",
				"hawser.yaml:8: extra.a[0].idd: there is no such setting; here are id, name",
			},
		},
		{
			name: "values of the wrong kind",
			file: "timeout: soon\nburst: -1\nstrict: [1]\nlisten: all\npeers: 7\n",
			want: []string{
				"hawser.yaml:1: timeout: it is not a duration such as 10s",
				"hawser.yaml:2: burst: it is not a whole number",
				"hawser.yaml:3: strict: it is not true or false",
				"hawser.yaml:4: listen: it is not a mapping",
				"hawser.yaml:5: peers: it is not a mapping",
			},
		},
		{
			name: "the same in the environment",
			env:  map[string]string{"HAWSER_TIMEOUT": "soon", "HAWSER_NODES": "sk-live-123"},
			want: []string{
				`HAWSER_TIMEOUT: timeout: "soon" is not a duration such as 10s`,
				"HAWSER_NODES: nodes: it is not a mapping",
			},
		},
		{
			name: "what a part knows to be wrong",
			env:  map[string]string{"HAWSER_LISTEN_METRICS": ":8080"},
			want: []string{"HAWSER_LISTEN_METRICS: listen.metrics: it is the gateway's address, :8080"},
		},
		{
			name: "what a part knows to be wrong, with its line, beside values that cannot be read",
			file: "listen:\n  gateway: ':1'\n  metrics: ':1'\nburst: -1\nkey: ${KEY}\n",
			want: []string{
				"hawser.yaml:4: burst: it is not a whole number",
				"hawser.yaml:5: key: ${KEY} is not replaced here; set HAWSER_KEY in the environment instead",
				"hawser.yaml:3: listen.metrics: it is the gateway's address, :1",
				"hawser.yaml:3: listen.metrics: it is below 1024",
			},
		},
		{
			name: "nothing about a value that could not be read",
			file: "listen:\n  gateway: ':9090'\n  metrics: [1]\n",
			want: []string{"hawser.yaml:3: listen.metrics: it is not a text"},
		},
		{
			name: "keys that are there twice",
			file: "target: all\nlisten: {gateway: ':1', gateway: ':2'}\npeers:\n  a: x\n  a: y\ntarget: chains\n",
			want: []string{
				"hawser.yaml:2: listen.gateway: it is there twice, first at hawser.yaml:2",
				"hawser.yaml:5: peers.a: it is there twice, first at hawser.yaml:4",
				"hawser.yaml:6: target: it is there twice, first at hawser.yaml:1",
			},
		},
		{
			name: "a value of the wrong kind within a mapping",
			file: "nodes:\n  a: [x]\n  b: y\n",
			want: []string{"hawser.yaml:3: nodes.b: it is not a list"},
		},
		{
			name: "keys that are no settings in the environment",
			env:  map[string]string{"HAWSER_SEEDS": "[{idd: '1'}]"},
			want: []string{"HAWSER_SEEDS: seeds[0].idd: there is no such setting; here are id, name"},
		},
		{
			name: "a file that is not YAML",
			file: "listen: [\n",
			want: []string{"hawser.yaml: line 1: did not find expected node content"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := load(t, tt.file, tt.env)
			faults, ok := config.IsFaults(err)
			if !ok {
				t.Fatalf("err = %v", err)
			}
			var got []string
			for _, f := range faults {
				if strings.HasPrefix(f.Where, "/") {
					f.Where = filepath.Base(f.Where)
				}
				f.Text = folder.ReplaceAllString(f.Text, "")
				got = append(got, f.Error())
			}
			if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}

	t.Run("a missing file", func(t *testing.T) {
		_, err := load(t, "", map[string]string{config.EnvFile: "nowhere.yaml"})
		if err == nil || err.Error() != "nowhere.yaml: no such file or directory" {
			t.Errorf("err = %v", err)
		}
	})

	t.Run("an unknown flag", func(t *testing.T) {
		_, err := load(t, "", nil, "-verbose")
		if _, isFaults := config.IsFaults(err); err == nil || isFaults || errors.Is(err, flag.ErrHelp) {
			t.Errorf("err = %v", err)
		}
	})
}

func TestAVariableWhereNoneIsReplacedIsAFault(t *testing.T) {
	_, err := load(t, "key: ${VENDOR_KEY}\ntarget: a-${X}\nnodes: {a: [\"https://node.example/${NODE_KEY}\"]}\n", nil)
	want := "hawser.yaml:2: target: ${X} is not replaced here; set HAWSER_TARGET in the environment instead\n" +
		"hawser.yaml:1: key: ${VENDOR_KEY} is not replaced here; set HAWSER_KEY in the environment instead"
	if err == nil || folder.ReplaceAllString(err.Error(), "") != want {
		t.Errorf("received %v\nwant %s", err, want)
	}
}

func TestAVariableThatIsNoSettingIsAFault(t *testing.T) {
	got := defaults()
	file := withFile(t, "nodes: {a: [\"https://node.example/${HAWSER_NODE_KEY}\"]}\n", map[string]string{"HAWSER_TARGET": "chains"})
	names := []string{"PATH", "HAWSER_CONFIG", "HAWSER_TARGET", "HAWSER_NODE_KEY", "HAWSER_LISTEN_GATWAY", "HAWSER_DATABASE"}
	err := config.Load(&got, config.Options{Variables: names, Environ: func(name string) (string, bool) {
		value, ok := file[name]
		return value, ok
	}})
	want := "HAWSER_DATABASE: there is no setting of this name\n" +
		"HAWSER_LISTEN_GATWAY: there is no setting of this name; the nearest is HAWSER_LISTEN_GATEWAY"
	if err == nil || err.Error() != want {
		t.Errorf("received %v\nwant %s", err, want)
	}
}

func TestExpand(t *testing.T) {
	t.Setenv("NODE_KEY", "a$b")
	t.Setenv("EMPTY", "")
	if got, err := config.Expand("https://node.example/${NODE_KEY}${EMPTY}"); got != "https://node.example/a$b" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := config.Expand("https://node.example/${HAWSER_NO_SUCH}/${NODE_KEY}"); err == nil || err.Error() != "HAWSER_NO_SUCH is not set in the environment" {
		t.Errorf("received %v", err)
	}
}

func TestPrint(t *testing.T) {
	c := defaults()
	c.Peers = map[string]string{"names": "names:7000"}
	c.Nodes = map[string][]string{"eip155:1": {"https://rpc.example/v3/sk-live-1"}}
	c.Seeds = []seed{{ID: "1", Name: "One"}}
	c.Extra = map[string][]seed{"a": {{ID: "2", Name: "Two"}}}
	c.DSN = "postgres://hawser:sk-live-2@db/hawser?sslpassword=sk-live-3"
	c.Key = "sk-live-4"
	var out bytes.Buffer
	if err := config.Print(&out, &c); err != nil {
		t.Fatal(err)
	}
	want := `listen:
  # address of the gateway
  gateway: :8080
  metrics: :9090
# what to run
target: all
timeout: 10s
burst: 5
rate: 0
strict: false
peers:
  names: names:7000
nodes:
  eip155:1:
    - (hidden)
seeds:
  - id: "1"
    name: One
extra:
  a:
    - id: "2"
      name: Two
dsn: postgres://hawser:hidden@db/hawser?hidden
key: (hidden)
`
	if out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
	}

	t.Run("is read back unchanged, except for the secrets", func(t *testing.T) {
		got, err := load(t, out.String(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got.DSN, got.Key, got.Nodes = c.DSN, c.Key, c.Nodes
		if !reflect.DeepEqual(got, c) {
			t.Errorf("%+v", got)
		}
	})

	for dsn, want := range map[string]string{
		".hawser/hawser.db":                               "dsn: .hawser/hawser.db\n",
		"host=db password=sk-live-5":                      "dsn: (hidden)\n",
		"//hawser:sk-live-6@db/hawser":                    "dsn: (hidden)\n",
		"postgres://hawser:sk-l%ive@db":                   "dsn: (hidden)\n",
		"":                                                "dsn: \"\"\n",
		"nats://sk-live-7@bus:4222":                       "dsn: nats://hidden@bus:4222\n",
		"nats://a:4222,nats://b:4222":                     "dsn: nats://a:4222,nats://b:4222\n",
		"nats://u:sk-live-1@a,nats://u:sk-live-2@b":       "dsn: nats://(hidden)\n",
		"nats://sk-live-3@a:4222,sk-live-4@b:4222":        "dsn: nats://(hidden)\n",
		"postgres://u:sk-live,8@db1:5432,db2:5432/hawser": "dsn: postgres://(hidden)\n",
		"postgres://db/hawser?user=u&password=sk-live-9":  "dsn: postgres://db/hawser?hidden\n",
		"user=hawser password='sk-live 10' host=db":       "dsn: (hidden)\n",
		"password = sk-live-11":                           "dsn: (hidden)\n",
		"nats://bus:4222#sk-live-12":                      "dsn: nats://bus:4222#hidden\n",
		"nats:sk-live-13@bus":                             "dsn: (hidden)\n",
	} {
		t.Run("of "+want, func(t *testing.T) {
			c := defaults()
			c.DSN = dsn
			var out bytes.Buffer
			if err := config.Print(&out, &c); err != nil || !strings.Contains(out.String(), want) || strings.Contains(out.String(), "sk-live") {
				t.Errorf("%v\n%s", err, out.String())
			}
		})
	}
}
