package projects_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/projects"
)

func TestParseID(t *testing.T) {
	const valid = "0123456789abcdef0123456789abcdef"
	if id, err := projects.ParseID(valid); err != nil || id != valid {
		t.Errorf("%s, %v", id, err)
	}
	for _, text := range []string{"", valid[1:], valid + "0", strings.ToUpper(valid), "g" + valid[1:], "0x" + valid[2:], valid[:31] + " "} {
		_, err := projects.ParseID(text)
		wantInvalid(t, err, "id")
	}
}

func TestNewID(t *testing.T) {
	id, err := projects.NewID(strings.NewReader("sixteen bytes ab"))
	if err != nil || id != "7369787465656e206279746573206162" {
		t.Errorf("%s, %v", id, err)
	}
	if _, err := projects.NewID(strings.NewReader("too few")); err == nil {
		t.Error("an id of too little chance")
	}
}

func TestNewLimit(t *testing.T) {
	tests := []struct {
		behaviour string
		rate      float64
		burst     uint32
		want      projects.Limit
		invalid   string
	}{
		{behaviour: "no rate is no limit, whatever the burst", burst: 5, want: projects.Limit{}},
		{behaviour: "a burst of its own", rate: 10, burst: 50, want: projects.Limit{RequestsPerSecond: 10, Burst: 50}},
		{behaviour: "a burst is what a second allows", rate: 10.2, want: projects.Limit{RequestsPerSecond: 10.2, Burst: 11}},
		{behaviour: "a slow rate lets one call through", rate: 0.01, want: projects.Limit{RequestsPerSecond: 0.01, Burst: 1}},
		{behaviour: "below zero", rate: -1, invalid: "rate"},
		{behaviour: "not a number", rate: math.NaN(), invalid: "rate"},
		{behaviour: "without end", rate: math.Inf(1), invalid: "rate"},
		{behaviour: "a burst beyond sense", rate: 1, burst: math.MaxUint32, invalid: "burst"},
	}
	for _, tt := range tests {
		t.Run(tt.behaviour, func(t *testing.T) {
			got, err := projects.NewLimit(tt.rate, tt.burst)
			if tt.invalid != "" {
				wantInvalid(t, err, tt.invalid)
				return
			}
			if err != nil || got != tt.want {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

func TestRename(t *testing.T) {
	for _, name := range []string{"x", strings.Repeat("é", 80), "  Shop  "} {
		var p projects.Project
		if err := p.Rename(name); err != nil || p.Name != strings.TrimSpace(name) {
			t.Errorf("%q became %q, %v", name, p.Name, err)
		}
	}
	for _, name := range []string{"", "   ", strings.Repeat("é", 81), "two\nlines", "\xff"} {
		p := projects.Project{Name: "before"}
		wantInvalid(t, p.Rename(name), "name")
		if p.Name != "before" {
			t.Errorf("%q was taken", name)
		}
	}
}

func TestAllow(t *testing.T) {
	var p projects.Project
	if err := p.Allow([]string{"https://Example.org", "*.example.net:8080"}); err != nil {
		t.Fatal(err)
	}
	if got := p.AllowedOrigins[0].String() + " " + p.AllowedOrigins[1].String(); got != "https://example.org *.example.net:8080" {
		t.Errorf("allows %s", got)
	}
	wantInvalid(t, p.Allow([]string{"https://example.org", "https://example.org/path"}), "origin")
	wantInvalid(t, p.Allow(make([]string, 101)), "origin")
	for _, word := range []string{"foo", "*", "example"} {
		wantInvalid(t, p.Allow([]string{word}), "origin")
	}
	if len(p.AllowedOrigins) != 2 {
		t.Error("a refused list was taken")
	}
}

func TestHostsOfOneWordAreAllowedByTheirOrigin(t *testing.T) {
	var p projects.Project
	if err := p.Allow([]string{"https://intranet", "intranet:8080", "localhost", "[::1]"}); err != nil {
		t.Error(err)
	}
}

func TestConfigCheck(t *testing.T) {
	const id = "00000000000000000000000000000001"
	good := projects.Seed{ID: id, Name: "Demo", AllowedOrigins: []string{"https://*.example.org"}, RequestsPerSecond: 10}
	for behaviour, tt := range map[string]struct {
		seeds []projects.Seed
		want  string
	}{
		"a seed":            {[]projects.Seed{good}, ""},
		"an invalid id":     {[]projects.Seed{{ID: "1", Name: "Demo"}}, "seed[0]: id: it is not 32 lower-case hex digits"},
		"no name":           {[]projects.Seed{good, {ID: strings.Replace(id, "1", "2", 1)}}, "seed[1]: name: it is empty"},
		"the same id twice": {[]projects.Seed{good, good}, "seed[1]: id: an earlier project of the list has it"},
	} {
		t.Run(behaviour, func(t *testing.T) {
			var lines []string
			for _, f := range (projects.Config{Seed: tt.seeds}).Check() {
				lines = append(lines, f.Error())
			}
			if got := strings.Join(lines, "\n"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func wantInvalid(t *testing.T, err error, field string) {
	t.Helper()
	if invalid, ok := errors.AsType[*projects.Invalid](err); !ok || invalid.Field != field {
		t.Errorf("err = %v, want one about %s", err, field)
	}
}
