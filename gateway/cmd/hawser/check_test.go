package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/config"
)

// wrongConfigurations are files that are refused; FILE stands for the file itself, and DIR for its folder, which has a file `file`, a folder `folder`
// and files of networks.
var wrongConfigurations = []struct{ mistake, file, want string }{
	{"a port alone", "listen:\n  gateway: '8080'\n", `FILE:2: listen.gateway: "8080" is not an address such as :8080 or 127.0.0.1:8080`},
	{"a port that is too high", "listen: {gateway: ':99999'}\n", `FILE:1: listen.gateway: ":99999" is not an address such as :8080 or 127.0.0.1:8080`},
	{"a port that is empty", "listen: {metrics: '127.0.0.1:'}\n", `FILE:1: listen.metrics: "127.0.0.1:" is not an address such as :8080 or 127.0.0.1:8080`},
	{"a listener that is empty", "listen:\n\n  metrics: ''\n", `FILE:3: listen.metrics: "" is not an address such as :8080 or 127.0.0.1:8080`},
	{"two listeners at one address", "listen:\n  gateway: ':7000'\n  relay: ':7000'\n", "FILE:3: listen.relay: :7000 is the address of listen.gateway"},
	{"a listener within another", "listen:\n  metrics: 127.0.0.1:8080\n", "FILE:2: listen.metrics: 127.0.0.1:8080 is the address of listen.gateway"},
	{"services at the gateway's address", "listen: {grpc: '0.0.0.0:8080'}\n", "FILE:1: listen.grpc: 0.0.0.0:8080 is the address of listen.gateway"},

	{"a database of another kind", "store: {dsn: 'mysql://me:secret@db/x'}\n", "FILE:1: store.dsn: " + noDSN},
	{"a URL without its colon", "store:\n  dsn: postgres//x\n", "FILE:2: store.dsn: " + noDSN},
	{"a mistyped scheme", "store:\n  dsn: postgre://me:secret@db/x\n", "FILE:2: store.dsn: " + noDSN},
	{"parameters instead of a URL", "store: {dsn: host=db password=secret}\n", "FILE:1: store.dsn: " + noDSN},
	{"a path with a space at its end", "store: {dsn: 'hawser.db '}\n", "FILE:1: store.dsn: it begins or ends with a space"},
	{"a path in a folder that is not there", "store: {dsn: DIR/none/hawser.db}\n", "FILE:1: store.dsn: there is no folder DIR/none: make it, or mend the path"},
	{"a path of a folder", "store: {dsn: DIR/folder}\n", "FILE:1: store.dsn: DIR/folder is a folder, not the file of a database"},
	{"a password with a slash", "store:\n  dsn: postgres://me:sec/ret@db/x\n", "FILE:2: store.dsn: " + noURL},
	{"a password with a hash", "store:\n  dsn: 'postgres://me:1#secret@db/x'\n", "FILE:2: store.dsn: " + noURL},
	{"a password with a question mark", "store:\n  dsn: postgres://me:1?secret@db/x\n", "FILE:2: store.dsn: " + noURL},
	{"a password with a percent sign", "store:\n  dsn: postgres://me:secret%@db/x\n", "FILE:2: store.dsn: " + noURL},
	{"a parameter that PostgreSQL does not have", "store:\n  dsn: postgres://me:secret@db/x?sslmode=maybe\n", "FILE:2: store.dsn: it is not the URL of a PostgreSQL server: see its hosts, ports, sslmode and the files that it names"},
	{"too few connections", "store:\n  connections: 2\n", "FILE:2: store.connections: it is below 3"},

	{"a section twice", "log: {level: loud}\nlisten:\nlog: {format: json}\n", "FILE:3: log: it is there twice, first at FILE:1\nFILE:1: log.level: it is not one of debug, info, warn, error"},
	{"a setting twice", "log:\n  level: info\n  level: warn\n", "FILE:3: log.level: it is there twice, first at FILE:2"},
	{"a network twice", "chains:\n  nodes:\n    eip155:1: ['https://a.test']\n    eip155:1: ['https://b.test']\n", "FILE:4: chains.nodes.eip155:1: it is there twice, first at FILE:3"},
	{"an unknown setting", "store:\n  url: x\n", "FILE:2: store.url: there is no such setting; here are connections, dsn"},
	{"a value of another kind", "store:\n  connections: many\n", "FILE:2: store.connections: it is not a whole number"},
	{"a file that is not YAML", "listen: [\n", "FILE: line 1: did not find expected node content"},
	{"a variable where none is replaced", "data_dir: DIR\nlog:\n  level: ${LEVEL}\n", "FILE:3: log.level: ${LEVEL} is not replaced here; set HAWSER_LOG_LEVEL in the environment instead"},

	{"a node that is no list", "chains: {nodes: {'eip155:1': 'https://a.test'}}\n", "FILE:1: chains.nodes.eip155:1: it is not a list\nFILE:1: chains.nodes[eip155:1]: no rpc node"},
	{"a node that is no URL", "chains:\n  nodes:\n    eip155:1:\n    - a.test/secret\n", "FILE:3: chains.nodes[eip155:1]: rpc node 1 is not an http or https URL"},
	{"a node whose variable is not set", "chains:\n  nodes:\n    eip155:1: ['https://a.test/${HAWSER_NO_SUCH}']\n", "FILE:3: chains.nodes[eip155:1]: rpc node 1: HAWSER_NO_SUCH is not set in the environment"},
	{"a node of a network that is unknown", "chains:\n  nodes:\n    eip155:99999999: ['https://a.test']\n", "FILE:3: chains.nodes[eip155:99999999]: no such network is served: describe it in chains.networks_file"},
	{"a file of networks that is not there", "chains:\n  networks_file: DIR/none.yaml\n", "FILE:2: chains.networks_file: open DIR/none.yaml: no such file or directory"},
	{"networks that have mistakes", "chains:\n  networks_file: DIR/networks.yaml\n", "FILE:2: chains.networks_file: DIR/networks.yaml: network \"eip155:5\": name and native.symbol are needed\n" +
		"FILE:2: chains.networks_file: network \"eip155:6\": native.decimals 78 is over 77"},
	{"a file of networks that is none", "chains:\n  networks_file: DIR/lists.yaml\n", "FILE:2: chains.networks_file: DIR/lists.yaml: yaml: unmarshal errors: line 1: field nayme not found in type chains.Network"},
	{"traces of a network that has none", "chains:\n  traces: {'solana:x': trace_block}\n", "FILE:2: chains.traces: solana:x is not an EVM chain"},

	{"an aggregator that is unknown", "convert:\n  vendors:\n    uniswapx: {}\n", `FILE:3: convert.vendors.uniswapx: there is no vendor "uniswapx"; there are 0x, 1inch`},
	{"an aggregator without its key", "convert:\n  vendors:\n    1inch: {}\n", "FILE:3: convert.vendors.1inch: key: it answers only with a key"},
	{"a quote that ends at once", "convert:\n  lifetime: 1s\n", "FILE:2: convert.lifetime: it is less than a minute"},
	{"a source of prices that is unknown", "balances:\n  prices:\n    vendor: coinpaprika\n", `FILE:3: balances.prices.vendor: there is no vendor "coinpaprika"; there is defillama`},
	{"an archive that is no URL", "activity:\n  archives:\n    eip155:1: a.test?key=secret\n", "FILE:3: activity.archives.eip155:1: the archive of eip155:1 is not an http or https URL"},
	{"descriptors that are not there", "preview:\n  descriptors: DIR/none\n", "FILE:2: preview.descriptors: open DIR/none: no such file or directory"},
	{"a delegate that is no address", "preview:\n  delegates:\n  - '0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B'\n  - '0x1'\n", "FILE:4: preview.delegates[1]: it is not an address"},
	{"a project without an id", "projects:\n  seed:\n  - {id: '1', name: x}\n", "FILE:3: projects.seed[0]: id: it is not 32 lower-case hex digits"},

	{"an address of the gateway that is no URL", "public_url: wallet.example.org\n", "FILE:1: public_url: it is not an http or https URL without a query, such as https://wallet.example.org"},
	{"a target that is unknown", "target: gatewy\n", `FILE:1: target: "gatewy" is not one of all, gateway, ` + strings.Join(serviceNames(), ", ")},
	{"a service without a bus", "target: chains\nlisten: {grpc: ':7000'}\n", "bus.url: it is empty, but services in several processes need one NATS server"},
	{"a peer that is unknown", "peers:\n  nayms: 'names:7000'\n", "FILE:2: peers.nayms: there is no such service; there are " + strings.Join(serviceNames(), ", ")},
	{"a level that is unknown", "log:\n  level: loud\n", "FILE:2: log.level: it is not one of debug, info, warn, error"},
	{"two copies of each stream", "bus:\n  replicas: 2\n", "FILE:2: bus.replicas: it is not 1, 3 or 5"},
	{"a bus that is no URL", "bus:\n  url: nats://me:secret%@bus\n", "FILE:2: bus.url: it is not a list of URLs such as nats://host:4222"},
	{"a data folder that is a URL", "data_dir: s3://bucket\n", "FILE:1: data_dir: it is a URL, not a folder"},
	{"a data folder with a space at its end", "data_dir: 'DIR '\n", "FILE:1: data_dir: it begins or ends with a space"},
	{"a data folder below a file", "data_dir: DIR/file/data\n", "FILE:1: data_dir: DIR/file/data cannot be written to: not a directory"},
	{"TLS without a key", "tls:\n  certificate: DIR/file\n  authorities: DIR/file\n", "FILE:1: tls.key: it is empty, but TLS between processes needs certificate, key, authorities and name"},
	{"a certificate that is none", "tls:\n  certificate: DIR/file\n  key: DIR/file\n  authorities: DIR/file\n", "FILE:2: tls.certificate: certificate and key: tls: failed to find any PEM data in certificate input"},
	{"a client certificate without its key", "bus:\n  certificate: DIR/file\n", "FILE:2: bus.certificate: certificate and key need each other"},
	{"everything at once", "store: {connections: 1, dsn: postgres//x}\nlisten: {gateway: '80'}\nlog: {levl: x}\nbus: {replicas: 2}\npublic_url: x\n",
		"FILE:3: log.levl: there is no such setting; here are format, level\n" +
			"FILE:5: public_url: it is not an http or https URL without a query, such as https://wallet.example.org\n" +
			"FILE:1: store.dsn: " + noDSN + "\nFILE:1: store.connections: it is below 3\n" +
			"FILE:4: bus.replicas: it is not 1, 3 or 5\n" +
			`FILE:2: listen.gateway: "80" is not an address such as :8080 or 127.0.0.1:8080`},
}

const (
	noDSN = "it is neither a postgres:// URL nor the path of an SQLite file; a path with such signs begins with / or ./"
	noURL = "it is not a URL that can be read: in a user and a password, % is written %25, / is %2F, ? is %3F, # is %23, @ is %40 and : is %3A"
)

func TestConfigCheckAndTheStartRefuseTheSame(t *testing.T) {
	for _, tt := range wrongConfigurations {
		t.Run(tt.mistake, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "hawser.yaml")
			text := strings.ReplaceAll(tt.file, "DIR", dir)
			if !strings.Contains(text, "data_dir") && !strings.Contains(text, "[\n") {
				text += "data_dir: " + dir + "\n"
			}
			for name, content := range map[string]string{
				"hawser.yaml": text, "file": "", "lists.yaml": "- {nayme: x}\n",
				"networks.yaml": "- {chain_id: 'eip155:5'}\n- {chain_id: 'eip155:6', name: x, native: {symbol: X, decimals: 78}}\n",
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
				t.Fatal(err)
			}
			t.Setenv(config.EnvFile, file)
			want := "hawser: " + strings.ReplaceAll(strings.NewReplacer("FILE", file, "DIR", dir).Replace(tt.want), "\n", "\nhawser: ") + "\n"
			for _, args := range [][]string{{"config", "check"}, {"run"}} {
				// A start that does not refuse it is stopped.
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				var out, errOut bytes.Buffer
				code := hawser(ctx, args, &out, &errOut)
				cancel()
				if code != exitFailed || errOut.String() != want || out.Len() > 0 {
					t.Errorf("%s: exit %d\n%s%swant\n%s", args, code, errOut.String(), out.String(), want)
				}
			}
			var left []string
			entries, err := os.ReadDir(dir)
			for _, entry := range entries {
				left = append(left, entry.Name())
			}
			if err != nil || !slices.Equal(left, []string{"file", "folder", "hawser.yaml", "lists.yaml", "networks.yaml"}) {
				t.Errorf("the folder has %v, %v", left, err)
			}
		})
	}
}

func TestUnknownVariablesAreRefused(t *testing.T) {
	t.Setenv("HAWSER_LISTEN_GATWAY", ":1")
	code, _, errOut := ask(t, "config", "check")
	if want := "hawser: HAWSER_LISTEN_GATWAY: there is no setting of this name; the nearest is HAWSER_LISTEN_GATEWAY\n"; code != exitFailed || errOut != want {
		t.Errorf("exit %d: %s", code, errOut)
	}
}

func TestVariablesThatAreNoSettings(t *testing.T) {
	got := settingVariables([]string{
		"PATH=/bin", "HAWSER_LOG_LEVEL=info", "HAWSER_TEST_CLOCK=x", "HAWSER_DEV_LISTEN_HTTP=:1", "HAWSER_DEVNET_PORT=8545", "HAWSER_FRAME_PORT=5174", "HAWSER_FRAME_ORIGIN=https://a.test",
		"HAWSER_SERVICE_HOST=10.0.0.1", "HAWSER_SERVICE_PORT=8080", "HAWSER_SERVICE_PORT_HTTP=8080", "HAWSER_GATEWAY_PORT=tcp://10.0.0.1:8080",
		"HAWSER_PORT_8080_TCP=tcp://10.0.0.1:8080", "HAWSER_PORT_8080_TCP_ADDR=10.0.0.1",
	})
	if want := []string{"HAWSER_LOG_LEVEL", "HAWSER_FRAME_PORT", "HAWSER_FRAME_ORIGIN"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAVariableOfTheNetworksFileIsNoMistake(t *testing.T) {
	file := filepath.Join(t.TempDir(), "networks.yaml")
	text := "- {chain_id: 'eip155:4242', name: Own, native: {name: Own, symbol: OWN, decimals: 18}, rpc: ['https://a.test/${HAWSER_OWN_KEY}']}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HAWSER_OWN_KEY", "x")
	if code, _, errOut := ask(t, "config", "check", "-chains.networks_file", file); code != exitOK {
		t.Errorf("exit %d: %s", code, errOut)
	}
}
