package registry_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/names"
	"github.com/hawser-dev/hawser/services/names/registry"
)

func TestParse(t *testing.T) {
	zones := registry.Zones{"hawser.id", "example.org"}
	sixtyFour := strings.Repeat("a", 64)
	for text, want := range map[string]struct{ found, made error }{
		"alice.hawser.id":         {nil, nil},
		"alice.example.org":       {nil, nil},
		"4-2-.hawser.id":          {nil, nil},
		"-abc.hawser.id":          {nil, nil},
		sixtyFour + ".hawser.id":  {nil, nil},
		"max.hawser.id":           {nil, registry.ErrLength},
		"xn--abc.hawser.id":       {nil, registry.ErrFormat},
		"ma.hawser.id":            {registry.ErrLength, registry.ErrLength},
		sixtyFour + "a.hawser.id": {registry.ErrLength, registry.ErrLength},
		"alice.id":                {registry.ErrZone, registry.ErrZone},
		"a.alice.hawser.id":       {registry.ErrLength, registry.ErrLength},
		"vitalik.eth":             {registry.ErrZone, registry.ErrZone},
		"a.b.connect.id":          {registry.ErrZone, registry.ErrZone},
		"hawser.id":               {registry.ErrLength, registry.ErrLength},
		"alice.other.id":          {registry.ErrZone, registry.ErrZone},
		"alice..id":               {registry.ErrZone, registry.ErrZone},
		"Alice.hawser.id":         {registry.ErrFormat, registry.ErrFormat},
		"al_ce.hawser.id":         {registry.ErrFormat, registry.ErrFormat},
		"аlice.hawser.id":         {registry.ErrFormat, registry.ErrFormat}, // with a Cyrillic letter
		"alice.hawser.id\n":       {registry.ErrFormat, registry.ErrFormat},
		"":                        {registry.ErrFormat, registry.ErrFormat},
	} {
		if _, err := zones.Parse(text); !errors.Is(err, want.found) {
			t.Errorf("look up %q: %v, want %v", text, err, want.found)
		}
		if _, err := zones.ParseNew(text); !errors.Is(err, want.made) {
			t.Errorf("register %q: %v, want %v", text, err, want.made)
		}
	}
}

func TestReservedNamesAreReservedInEverySpelling(t *testing.T) {
	reserved := registry.Reserve([]string{"support", "admin"})
	for label, want := range map[string]bool{
		"support": true, "supp0rt": true, "5upport": true, "sup-port": true, "-admin-": true, "adrnin": true, "adm1n": true, "admln": true,
		"supports": false, "sport": false, "alice": false,
	} {
		if got := reserved.Holds(registry.Name(label + ".hawser.id")); got != want {
			t.Errorf("%s: %t", label, got)
		}
	}
}

func TestAttributes(t *testing.T) {
	w := newWorld(t)
	w.register(t, "alice.hawser.id", alice)
	for _, tt := range []struct {
		key, value string
		fits       bool
	}{
		{"bio", "Hello, Wörld 🚢", true},
		{"bio", strings.Repeat("é", 255), true},
		{"bio", strings.Repeat("é", 256), false},
		{"bio", "", false},
		{"bio", "two\nlines", false},
		{"bio", "turned \u202e around", false},
		{"bio", "\u200b \u2060", false},
		{"bio", "👩\u200d🚀", true},
		{"avatar", "https://example.org/a.png?size=1", true},
		{"avatar", "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/1.png", true},
		{"avatar", "eip155:1/erc721:0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85/4711", true},
		{"avatar", "eip155:8453/erc1155:0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85/1", true},
		{"avatar", "eip155:1/erc20:0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85/1", false},
		{"avatar", "eip155:1/erc721:0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85", false},
		{"avatar", "eip155:1/erc721:0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85/1\n", false},
		{"avatar", "javascript:alert(1)", false},
		{"avatar", "data:image/svg+xml,<svg/>", false},
		{"avatar", "https://user:secret@example.org/", false},
		{"avatar", "//example.org/a.png", false},
		{"avatar", "https://example.org/" + strings.Repeat("a", 512), false},
		{"url", "http://example.org", true},
		{"url", "ftp://example.org", false},
		{"com.twitter", "@alice", true},
		{"com.github", "alice-1", true},
		{"com.github", "alice/repository", false},
		{"email", "alice@example.org", true},
		{"email", "alice", false},
		{"constructor", "x", false},
		{"__proto__", "x", false},
	} {
		_, err := w.SetAttributes(t.Context(), "alice.hawser.id", w.signed(alice, fields{"attributes": fields{tt.key: tt.value}}))
		if _, refused := errors.AsType[*registry.AttributeError](err); refused == tt.fits {
			t.Errorf("%s %q: %v", tt.key, tt.value, err)
		}
	}
}

func TestConfigCheck(t *testing.T) {
	if faults := names.DefaultConfig().Check(); len(faults) != 0 {
		t.Errorf("the default: %v", faults)
	}
	for key, change := range map[string]func(*names.Config){
		"zones":            func(c *names.Config) { c.Zones = nil },
		"zones[1]":         func(c *names.Config) { c.Zones = []string{"hawser.id", "Hawser.id"} },
		"past":             func(c *names.Config) { c.Past = 0 },
		"ahead":            func(c *names.Config) { c.Ahead = -1 },
		"changes_per_hour": func(c *names.Config) { c.ChangesPerHour = -1 },
	} {
		c := names.DefaultConfig()
		change(&c)
		if faults := c.Check(); len(faults) != 1 || !strings.HasPrefix(faults[0].Error(), key+":") {
			t.Errorf("%s: %v", key, faults)
		}
	}
}
