package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"go.yaml.in/yaml/v3"
)

func TestComposeGivesNATSTheLimitsOfTheChart(t *testing.T) {
	const deploy = "../../../deploy"
	raw, err := os.ReadFile(filepath.Join(deploy, "compose.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var compose struct {
		Services map[string]struct{ Command, Volumes []string }
	}
	if err := yaml.Unmarshal(raw, &compose); err != nil {
		t.Fatal(err)
	}
	nats := compose.Services["nats"]
	mounts := map[string]string{}
	for _, volume := range nats.Volumes {
		source, rest, _ := strings.Cut(volume, ":")
		target, _, _ := strings.Cut(rest, ":")
		mounts[target] = source
	}
	if len(nats.Command) != 2 || nats.Command[0] != "-c" || mounts[nats.Command[1]] == "" {
		t.Fatalf("nats runs with %q, and %v are mounted", nats.Command, mounts)
	}
	file := filepath.Join(deploy, mounts[nats.Command[1]])
	t.Setenv("NATS_PASSWORD", "nats-0-password")
	opts, err := server.ProcessConfigFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if opts.Username != "hawser" || opts.Password != "nats-0-password" {
		t.Errorf("NATS takes the user %q with the password %q", opts.Username, opts.Password)
	}
	if !opts.JetStream || mounts[opts.StoreDir] != "nats" {
		t.Errorf("JetStream is %t, and stores in %q", opts.JetStream, opts.StoreDir)
	}
	if opts.MaxPayload != 4<<20 || !opts.SyncAlways {
		t.Errorf("messages have up to %d bytes, and sync_interval: always is %t", opts.MaxPayload, opts.SyncAlways)
	}
	limits := regexp.MustCompile(`max_payload: \S+`)
	ofChart, err := os.ReadFile(filepath.Join(deploy, "charts/hawser/templates/nats.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	ofCompose, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := limits.FindAllString(string(ofCompose), -1), limits.FindAllString(string(ofChart), -1); !slices.Equal(got, want) {
		t.Errorf("the limits are %q, and those of the chart %q", got, want)
	}
}
