package config_test

import (
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/config"
)

func TestASettingIsListedWithWhereItComesFrom(t *testing.T) {
	got := defaults()
	env := withFile(t, "target: names\nlisten: {metrics: ':2'}\nseeds: [{id: '1', name: One}]\nnodes: {'eip155:1': ['https://rpc.example/sk-live-1']}\n", map[string]string{
		"HAWSER_BURST": "7", "HAWSER_KEY": "sk-live-2", "HAWSER_DSN": "postgres://u:sk-live-3@db/x",
	})
	flags := flag.NewFlagSet("hawser", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	var from config.Places
	err := config.Load(&got, config.Options{Flags: flags, Args: []string{"-rate=0.5"}, Places: &from, Environ: func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	}})
	if err != nil {
		t.Fatal(err)
	}
	was := defaults()
	listed, err := config.List(&got, &was, from)
	if err != nil {
		t.Fatal(err)
	}
	file := env[config.EnvFile]
	want := map[string]config.Setting{
		"listen.gateway": {Value: ":8080", Default: ":8080", Doc: "address of the gateway", Set: true},
		"listen.metrics": {Value: ":2", Default: ":9090", Set: true, Source: config.FromFile, Where: file + ":2"},
		"target":         {Value: "names", Default: "all", Doc: "what to run", Set: true, Source: config.FromFile, Where: file + ":1"},
		"timeout":        {Value: "10s", Default: "10s", Set: true},
		"burst":          {Value: "7", Default: "5", Set: true, Source: config.FromVariable, Where: "HAWSER_BURST"},
		"rate":           {Value: "0.5", Default: "0", Set: true, Source: config.FromFlag, Where: "-rate"},
		"strict":         {Value: "false", Default: "false"},
		"peers":          {Value: "{}", Default: "{}"},
		"nodes":          {Secret: true, Set: true, Source: config.FromFile, Where: file + ":4"},
		"seeds":          {Value: "- id: \"1\"\n  name: One", Default: "[]", Set: true, Source: config.FromFile, Where: file + ":3"},
		"extra":          {Value: "{}", Default: "{}"},
		"dsn":            {Secret: true, Set: true, Source: config.FromVariable, Where: "HAWSER_DSN"},
		"key":            {Secret: true, Set: true, Source: config.FromVariable, Where: "HAWSER_KEY"},
	}
	if len(listed) != len(want) {
		t.Errorf("%d settings are listed, want %d", len(listed), len(want))
	}
	for _, s := range listed {
		expected := want[s.Key]
		expected.Key = s.Key
		if s != expected {
			t.Errorf("%s is\n%+v, want\n%+v", s.Key, s, expected)
		}
		if strings.Contains(s.Value+s.Default+s.Where, "sk-live") {
			t.Errorf("%s shows a secret: %+v", s.Key, s)
		}
	}
}
