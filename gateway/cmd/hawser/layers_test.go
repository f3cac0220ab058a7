package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// shared are the packages of a service that another room of services/ may import, each with the reason.
var shared = map[string]struct{ room, reason string }{
	"chains":             {development, "the sandbox calls nodes, as the suite does"},
	"onramp/ramp":        {development, "the interface of a provider, which the sandbox implements"},
	"onramp/ramp/remote": {development, "that interface over gRPC"},
	"wallet/removal":     {"sessions", "what was revoked, of wallets and of smart sessions, survives a restored database"},
}

// development is the room of servers that replace external services, which the suite does not contain.
const development = "development"

// services/ holds a folder for each service that -target can name, what knows chains, the platform, and the servers of hawser-dev.
func TestEveryFolderOfServicesIsAService(t *testing.T) {
	entries, err := os.ReadDir("../../../services")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		if e.IsDir() {
			got = append(got, e.Name())
		}
	}
	want := append(serviceNames(), "onchain", "platform", development)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("services/ has %v, want %v", got, want)
	}
}

// The platform imports only itself, onchain those two, and a service beside them only itself and what is shared.
func TestImportsOfServicesGoDown(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{$p := .ImportPath}}{{range .Imports}}{{$p}} {{.}}\n{{end}}", "github.com/hawser-dev/hawser/services/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	unused, count := make(map[string]bool), 0
	for p := range shared {
		unused[p] = true
	}
	const prefix = "github.com/hawser-dev/hawser/services/"
	for line := range strings.Lines(string(out)) {
		from, to, _ := strings.Cut(strings.TrimSpace(line), " ")
		from, to = strings.TrimPrefix(from, prefix), strings.TrimPrefix(to, prefix)
		if strings.Contains(to, ".") || strings.HasPrefix(to, "github.com/") || !strings.Contains(line, " "+prefix) {
			continue
		}
		count++
		room, _, _ := strings.Cut(from, "/")
		target, _, _ := strings.Cut(to, "/")
		switch {
		case room == target, target == "platform", target == "onchain" && room != "platform":
		case shared[to].room == room:
			delete(unused, to)
		default:
			t.Errorf("%s imports %s", from, to)
		}
	}
	if count < 500 {
		t.Errorf("%d imports were read", count)
	}
	for p := range unused {
		t.Errorf("no other service imports %s", p)
	}
}

// What this binary lacks cannot be turned on.
func TestTheSuiteContainsNoServerForDevelopment(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	const prefix = "github.com/hawser-dev/hawser/services/"
	if !slices.Contains(deps, prefix+"wallet") {
		t.Fatalf("%d packages, without the wallet", len(deps))
	}
	for _, dep := range deps {
		if strings.HasPrefix(dep, prefix+development) || strings.HasPrefix(dep, "github.com/emersion/go-smtp") {
			t.Errorf("it contains %s", dep)
		}
	}
}
