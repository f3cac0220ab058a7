package origin_test

import (
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/origin"
)

func TestMatches(t *testing.T) {
	tests := []struct {
		pattern string
		origin  string
		want    bool
	}{
		{"https://example.org", "https://example.org", true},
		{"https://example.org", "http://example.org", false},
		{"https://example.org", "https://example.com", false},
		{"https://example.org", "https://app.example.org", false},
		{"https://example.org", "https://example.org.evil.test", false},
		{"https://example.org", "https://evilexample.org", false},
		{"https://Example.ORG", "https://example.org", true},
		{"HTTPS://example.org", "https://example.org", true},

		{"example.org", "https://example.org", true},
		{"example.org", "http://example.org:8080", true},
		{"example.org", "capacitor://example.org", true},

		{"https://*.example.org", "https://app.example.org", true},
		{"https://*.example.org", "https://example.org", false},
		{"https://*.example.org", "https://a.b.example.org", false},
		{"https://*.*.example.org", "https://a.b.example.org", true},
		{"*.example.org", "http://app.example.org:3000", true},
		{"https://app-*.example.org", "https://app-1.example.org", false},
		{"*", "https://intranet", true},
		{"*", "https://example.org", false},

		{"https://example.org:8443", "https://example.org:8443", true},
		{"https://example.org:8443", "https://example.org:9443", false},
		{"https://example.org", "https://example.org:9443", true},
		// A browser leaves the scheme's own port out of the header.
		{"https://example.org:443", "https://example.org", true},
		{"http://example.org:80", "http://example.org", true},
		{"https://example.org:8443", "https://example.org", false},

		{"http://192.168.0.7:3000", "http://192.168.0.7:3000", true},
		{"http://[fd00::1]:3000", "http://[fd00:0::1]:3000", true},
		{"http://[fd00::1]", "http://[fd00::2]", false},
	}
	for _, tt := range tests {
		t.Run(tt.pattern+" and "+tt.origin, func(t *testing.T) {
			p, err := origin.ParsePattern(tt.pattern)
			if err != nil {
				if tt.want {
					t.Fatal(err)
				}
				return
			}
			o, err := origin.Parse(tt.origin)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Matches(o); got != tt.want {
				t.Errorf("matches: %t", got)
			}
		})
	}
}

func TestAllowed(t *testing.T) {
	list := []string{"not a pattern", "https://example.org", "https://*.example.net"}
	tests := []struct {
		behaviour string
		list      []string
		header    string
		want      bool
	}{
		{"a page on the list", list, "https://example.org", true},
		{"a page of the second entry", list, "https://app.example.net", true},
		{"a page that is not on it", list, "https://evil.test", false},
		{"localhost, on any port", list, "http://localhost:5173", true},
		{"127.0.0.1", list, "https://127.0.0.1", true},
		{"[::1]", list, "http://[::1]:8080", true},
		{"a name that only begins like localhost", list, "http://localhost.evil.test", false},
		{"another loopback address", list, "http://127.0.0.2", false},
		{"a page without an origin", list, "null", false},
		{"no header", list, "", false},
		{"a path behind the origin", list, "https://example.org/path", false},
		{"a user before the host", list, "https://example.org@evil.test", false},
		{"an empty list lets every page in", nil, "https://evil.test", true},
		{"and one without an origin", nil, "null", true},
	}
	for _, tt := range tests {
		t.Run(tt.behaviour, func(t *testing.T) {
			if got := origin.Allowed(tt.list, tt.header, true); got != tt.want {
				t.Errorf("allows %q: %t", tt.header, got)
			}
		})
	}
}

func TestParsePatternRefuses(t *testing.T) {
	for _, text := range []string{
		"", "https://", "://example.org", "https://example.org/", "https://example.org/path", "https://user@example.org",
		"https://example..org", "https://.example.org", "https://example.org.", "https://exam ple.org", "https://example.org:0",
		"https://example.org:65536", "https://example.org:", "https://example.org:+80", "https://ex*mple.org", "https://bücher.example",
		"1http://example.org", "ht tp://example.org", "https://[::1", "https://[fe80::1%25eth0]", "https://[zz]", "[::1]x",
		strings.Repeat("a.", 200) + "org", strings.Repeat("a", 64) + ".org",
	} {
		if p, err := origin.ParsePattern(text); err == nil {
			t.Errorf("%q was taken as %s", text, p)
		}
	}
}

func FuzzParsePattern(f *testing.F) {
	for _, seed := range []string{"example.org", "https://*.example.org:8443", "http://[::1]:80", "*", "a://b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := origin.ParsePattern(text)
		if err != nil {
			return
		}
		again, err := origin.ParsePattern(p.String())
		if err != nil || again.String() != p.String() {
			t.Errorf("%q reads as %q, which reads as %q (%v)", text, p, again, err)
		}
	})
}

// FuzzMatches checks that a full pattern without wildcards matches its own page and no other host, however the host is
// spelled.
func FuzzMatches(f *testing.F) {
	f.Add("https://example.org", "https://example.org")
	f.Add("https://example.org:443", "https://example.org")
	f.Add("http://[::1]", "http://[0::1]:80")
	f.Fuzz(func(t *testing.T, text, header string) {
		p, err := origin.ParsePattern(text)
		if err != nil || strings.Contains(text, "*") {
			return
		}
		o, err := origin.Parse(header)
		if err != nil {
			return
		}
		own, err := origin.ParsePattern(header)
		if err != nil || !own.Matches(o) {
			t.Errorf("the pattern %q does not match its own page (%v)", header, err)
		}
		if p.Matches(o) && !sameHost(p.String(), own.String()) {
			t.Errorf("%q lets %q in", text, header)
		}
	})
}

func sameHost(a, b string) bool { return host(a) == host(b) }

// host returns the host in a result of [origin.Pattern.String].
func host(text string) string {
	if _, after, ok := strings.Cut(text, "://"); ok {
		text = after
	}
	if i := strings.LastIndexByte(text, ':'); i >= 0 && !strings.Contains(text[i:], "]") {
		text = text[:i]
	}
	return text
}

func TestExtensionsAreNoPages(t *testing.T) {
	for header, is := range map[string]bool{
		"chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn": true, "moz-extension://0b1c": true, "safari-web-extension://a": true,
		"https://chrome-extension": false, "https://example.org": false, "null": false, "": false, "chrome-extension:": false, "capacitor://localhost": false,
	} {
		if origin.IsExtension(header) != is {
			t.Errorf("%q: %v", header, !is)
		}
	}
}

func TestOf(t *testing.T) {
	for address, want := range map[string]string{
		"https://wallet.example.org":           "https://wallet.example.org",
		"https://Wallet.example.org:443/base/": "https://wallet.example.org",
		"http://localhost:8080":                "http://localhost:8080",
		"":                                     "",
		"wallet.example.org":                   "",
		"wss://wallet.example.org":             "",
	} {
		if got := origin.Of(address); got != want {
			t.Errorf("%q is of %q", address, got)
		}
	}
}
