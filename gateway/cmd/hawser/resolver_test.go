package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/names/resolver/resolvertest"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// payerKey is the standard mnemonic's account 6.
const payerKey = "0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e"

func TestDeployResolver(t *testing.T) {
	chain := devnettest.Start(t).Chain(t, "eip155:31338")
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	t.Setenv("HAWSER_STORE_DSN", storetest.SQLite(t))
	t.Setenv("NODE", chain.RPCURL)
	t.Setenv("HAWSER_CHAINS_NODES", `{"eip155:31338": ["${NODE}"]}`)
	key := keyFile(t, payerKey)

	code, out, errOut := ask(t, "names", "deploy-resolver", "-chain", "eip155:31338", "-key-file", key, "-url", "https://gateway.example/")
	if code != exitOK || errOut != "" {
		t.Fatalf("%d %s", code, errOut)
	}
	said := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^(\w+) +(\S+)$`).FindAllStringSubmatch(out, -1) {
		said[m[1]] = m[2]
	}
	if said["chain"] != "eip155:31338" || said["owner"] != "0x976EA74026E726554dB657fA54763abd0C3a0aa9" || said["gateway"] != "https://gateway.example/v1/ens/{sender}/{data}.json" {
		t.Errorf("said\n%s", out)
	}
	_, signer, _ := ask(t, "names", "ens-signer")
	data := append(evm.Selector("isSigner(address)"), evm.Word(evm.MustAddress(strings.TrimSpace(signer)))...)
	var trusted string
	if err := json.Unmarshal(chain.Call(t, "eth_call", map[string]string{"to": said["resolver"], "data": hexutil.Encode(data)}, "latest"), &trusted); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(trusted, "1") {
		t.Errorf("the resolver at %s does not trust %s", said["resolver"], signer)
	}
}

// TestDeployResolverOfAZone checks that nothing is deployed for a zone of another owner, and that the registry has the resolver of ours.
func TestDeployResolverOfAZone(t *testing.T) {
	chain := resolvertest.Start(t)
	t.Setenv("HAWSER_STORE_DSN", storetest.SQLite(t))
	t.Setenv("NODE", chain.RPCURL)
	t.Setenv("HAWSER_CHAINS_NODES", `{"eip155:31337": ["${NODE}"]}`)
	payer := "0x976EA74026E726554dB657fA54763abd0C3a0aa9"
	run := func(zone string) (int, string, string) {
		t.Setenv("HAWSER_NAMES_ZONES", `["`+zone+`"]`)
		return ask(t, "names", "deploy-resolver", "-chain", "eip155:31337", "-key-file", keyFile(t, payerKey), "-url", "https://gateway.example", "-registry", chain.Registry.String())
	}
	count := func() string { return string(chain.Call(t, "eth_getTransactionCount", payer, "pending")) }

	before := count()
	if code, out, errOut := run("others.zone"); code != exitFailed || out != "" || !strings.Contains(errOut, "others.zone has no owner in the registry") || count() != before {
		t.Errorf("%d %s%s", code, out, errOut)
	}

	chain.Own(t, "attached.zone", evm.MustAddress(payer))
	code, out, errOut := run("attached.zone")
	if code != exitOK || errOut != "" || !strings.Contains(out, "It is the resolver of attached.zone") {
		t.Fatalf("%d %s%s", code, out, errOut)
	}
	contract := regexp.MustCompile(`(?m)^resolver +(\S+)$`).FindStringSubmatch(out)[1]
	var found string
	data := calldata.Parse("resolver(bytes32)").Write(ens.Node("attached.zone"))
	if err := json.Unmarshal(chain.Call(t, "eth_call", map[string]string{"to": chain.Registry.String(), "data": hexutil.Encode(data)}, "latest"), &found); err != nil {
		t.Fatal(err)
	}
	if found != hexutil.Encode(evm.Word(evm.MustAddress(contract))) {
		t.Errorf("the registry says %s, not %s", found, contract)
	}
}

func TestDeployResolverReportsMistakes(t *testing.T) {
	t.Setenv("HAWSER_STORE_DSN", storetest.SQLite(t))
	t.Setenv("HAWSER_CHAINS_NODES", `{"eip155:1": ["http://127.0.0.1:1/secret"], "solana:x": ["http://127.0.0.1:1/secret"]}`)
	good, bad := keyFile(t, payerKey), keyFile(t, payerKey[:20])
	for args, want := range map[string]struct {
		code int
		text string
	}{
		"":                        {exitUsage, "-url wants where clients reach this gateway"},
		"-chain eip155:10":        {exitUsage, "chains.nodes has no node of eip155:10"},
		"-chain solana:x":         {exitUsage, "-chain wants an EVM chain"},
		"-url https://a.example":  {exitUsage, "-key-file wants a file"},
		"-url ftp://a.example":    {exitUsage, "-url wants where clients reach this gateway"},
		"-url https://a.b?key=12": {exitUsage, "-url wants where clients reach this gateway"},
		"-url https://a.example -key-file " + bad:                  {exitFailed, "not a private key: 64 hex digits"},
		"-url https://a.example -owner alice -key-file " + good:    {exitUsage, "-owner is not an address"},
		"-url https://a.example -registry ens -key-file " + good:   {exitUsage, "-registry is not an address"},
		"-url https://a.example -key-file " + good:                 {exitFailed, "127.0.0.1:1"},
		"-url https://a.example -key-file " + good + ".elsewhere":  {exitFailed, "no such file"},
		"-url https://a.example -key-file " + good + " -verbosely": {exitUsage, "-verbosely"},
	} {
		code, out, errOut := ask(t, append([]string{"names", "deploy-resolver"}, strings.Fields(args)...)...)
		if code != want.code || out != "" || !strings.Contains(errOut, want.text) {
			t.Errorf("%s: %d %s%s, want %d %s", args, code, out, errOut, want.code, want.text)
		}
		if strings.Contains(errOut, "secret") || strings.Contains(errOut, payerKey[2:20]) {
			t.Errorf("%s tells a secret: %s", args, errOut)
		}
	}
}

func keyFile(t *testing.T, key string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
