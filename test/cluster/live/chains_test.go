//go:build cluster

package live

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

// nodeAddress is the address by which pods reach the node, and its door.
const (
	nodeAddress = "198.18.0.1"
	podsDoor    = "http://" + nodeAddress + ":30080"
)

// onNode finds what runs on the node, by its port.
var onNode = regexp.MustCompile(regexp.QuoteMeta(nodeAddress) + `:(\d+)`)

// secretSettings are those of tests that the chart takes from Secrets alone.
var secretSettings = []string{"bundler.executors", "bundler.paymaster.signer"}

// settingsAsValues returns values of the chart for settings of Hawser on chains of this machine, which devnet describes. What is secret goes to a Secret,
// and the chains, which listen on the node alone, become reachable for pods.
func (c *cluster) settingsAsValues(t *testing.T, namespace string, settings map[string]any, devnet []byte) (values string) {
	t.Helper()
	delete(settings, "data_dir")
	chains := settings["chains"].(map[string]any)
	chains["devnet_file"] = "/etc/hawser/secrets/devnet/devnet.json"
	secrets, environment := map[string]string{}, map[string]any{}
	for _, name := range secretSettings {
		if secret := take(settings, strings.Split(name, ".")); secret != nil {
			variable := "HAWSER_" + strings.ToUpper(strings.ReplaceAll(name, ".", "_"))
			text, isText := secret.(string)
			if !isText {
				text = string(encodeJSON(t, secret))
			}
			secrets[variable] = text
			environment[variable] = map[string]string{"secret": "settings", "key": variable}
		}
	}
	reachable := strings.NewReplacer("//127.0.0.1:", "//"+nodeAddress+":", "//localhost:", "//"+nodeAddress+":", `"127.0.0.1:`, `"`+nodeAddress+":")
	c.secret(t, namespace, "settings", secrets)
	c.secret(t, namespace, "devnet", map[string]string{"devnet.json": reachable.Replace(string(devnet))})
	config := reachable.Replace(string(encodeJSON(t, settings)))
	var ports []any
	seen := map[string]bool{podsDoor: true}
	for _, found := range onNode.FindAllStringSubmatch(config, -1) {
		if seen["http://"+found[0]] {
			continue
		}
		seen["http://"+found[0]] = true
		forward(t, found[1])
		ports = append(ports, map[string]json.RawMessage{"port": json.RawMessage(found[1])})
	}
	return string(encodeJSON(t, map[string]any{
		"config": json.RawMessage(config), "secretEnv": environment, "secretFiles": map[string]string{"devnet": "devnet"},
		"defaults": map[string]any{"extraEgress": []any{map[string]any{
			"to": []any{map[string]any{"ipBlock": map[string]string{"cidr": nodeAddress + "/32"}}}, "ports": ports,
		}}},
	}))
}

// take removes a setting and returns it, or nil if there is none.
func take(from map[string]any, path []string) any {
	value := from[path[0]]
	if len(path) > 1 {
		inner, _ := value.(map[string]any)
		if inner == nil {
			return nil
		}
		return take(inner, path[1:])
	}
	delete(from, path[0])
	return value
}

func encodeJSON(t *testing.T, value any) []byte {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func parseSettings(t *testing.T, text []byte) (settings map[string]any) {
	t.Helper()
	if err := yaml.Unmarshal(text, &settings); err != nil {
		t.Fatal(err)
	}
	return settings
}

// forward leads connections to a port of the node's address to the same port of its loopback, for as long as the process runs.
func forward(t *testing.T, port string) {
	t.Helper()
	listener, err := net.Listen("tcp", net.JoinHostPort(nodeAddress, port))
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			in, err := listener.Accept()
			if err != nil {
				return
			}
			go join(in, port)
		}
	}()
}

func join(in net.Conn, port string) {
	defer func() { _ = in.Close() }()
	out, err := net.DialTimeout("tcp", net.JoinHostPort("127.0.0.1", port), 5*time.Second)
	if err != nil {
		return
	}
	defer func() { _ = out.Close() }()
	go func() {
		_, _ = io.Copy(out, in)
		_ = out.(*net.TCPConn).CloseWrite()
	}()
	_, _ = io.Copy(in, out)
}

// repository returns the root of the checkout.
func (c *cluster) repository() string { return filepath.Join(c.chart, "../../..") }

// site is a running demo page with chains of its own.
type site struct {
	DemoURL string          `json:"demoUrl"`
	Devnet  json.RawMessage `json:"devnet"`
	// lifeline is the standard input of the process: page and chains end when it is closed.
	lifeline io.Closer
}

// startSite serves the demo page, for the gateway behind the door, until the process ends.
func (c *cluster) startSite(t *testing.T) (s site) {
	t.Helper()
	cmd := exec.Command("node", filepath.Join(c.repository(), "packages/devnet/src/site.mjs"))
	cmd.Env = append(os.Environ(), "HAWSER_GATEWAY_URL="+podsDoor, "HAWSER_FRAME_ORIGIN="+frameOrigin)
	cmd.Stderr = os.Stderr
	lifeline, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.lifeline = lifeline
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &s)
	}
	if err != nil {
		t.Fatal(fmt.Errorf("the demo page did not start: %w", err))
	}
	return s
}

// siteValues returns values with which the suite serves a demo page: those of `make up`, on the EVM chains of the page.
func (c *cluster) siteValues(t *testing.T, namespace string, s site) (values string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(c.repository(), "deploy/dev.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var devnet struct {
		Chains []struct {
			CAIP2  string `json:"caip2"`
			RPCURL string `json:"rpcUrl"`
		} `json:"chains"`
	}
	if err := json.Unmarshal(s.Devnet, &devnet); err != nil {
		t.Fatal(err)
	}
	nodes := map[string]any{}
	for _, chain := range devnet.Chains {
		nodes[chain.CAIP2] = []string{chain.RPCURL}
	}
	settings := parseSettings(t, text)
	settings["chains"].(map[string]any)["nodes"] = nodes
	settings["public_url"] = podsDoor
	settings["frame"] = map[string]any{"origin": frameOrigin}
	// hawser-dev does not run.
	wallet, onramp := settings["wallet"].(map[string]any), settings["onramp"].(map[string]any)
	for _, name := range []string{"mail", "social", "farcaster_relay"} {
		delete(wallet, name)
	}
	delete(onramp, "sellers")
	return c.settingsAsValues(t, namespace, settings, s.Devnet)
}
