package directory_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/directory"
)

const metaMask = "c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96"

func builtIn(t *testing.T) directory.Directory {
	t.Helper()
	wallets, err := directory.Load("")
	if err != nil {
		t.Fatal(err)
	}
	return wallets
}

func TestBuiltInDirectoryHasSourcesForEveryWallet(t *testing.T) {
	wallets := builtIn(t)
	if len(wallets) < 75 {
		t.Errorf("%d wallets", len(wallets))
	}
	keys := map[string]bool{}
	for _, w := range wallets {
		if len(w.Sources) == 0 || slices.ContainsFunc(w.Sources, func(s string) bool { return !strings.HasPrefix(s, "https://") }) {
			t.Errorf("%s: sources %q", w.Name, w.Sources)
		}
		if w.Key == "" || keys[w.Key] {
			t.Errorf("%s: key %q", w.Name, w.Key)
		}
		keys[w.Key] = true
		if w.RDNS == "" && len(w.Relays) == 0 && w.Browser == "" && w.ChromeStore == "" && w.Homepage == "" {
			t.Errorf("%s: a page can neither find nor install it", w.Name)
		}
	}
}

func TestSelect(t *testing.T) {
	d := builtIn(t)
	yes := true
	for behaviour, tt := range map[string]struct {
		query directory.Query
		first string
		count func(int) bool
	}{
		"everything":                         {directory.Query{}, "MetaMask", func(n int) bool { return n == len(d) }},
		"a name in any case":                 {directory.Query{Search: "rAIN"}, "Rainbow", func(n int) bool { return n == 1 }},
		"no such name":                       {directory.Query{Search: "no such wallet"}, "", func(n int) bool { return n == 0 }},
		"a chain of a namespace":             {directory.Query{Chains: []string{"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"}}, "MetaMask", func(n int) bool { return n > 3 && n < 20 }},
		"wallets of Bitcoin alone":           {directory.Query{Chains: []string{"bip122:000000000019d6689c085ae165831e93"}}, "Xverse", func(n int) bool { return n == 2 }},
		"wallets of Polkadot":                {directory.Query{Chains: []string{"polkadot:91b171bb158e2d3848fa23a9f1c25182"}}, "OneKey", func(n int) bool { return n > 2 && n < 20 }},
		"one of several chains":              {directory.Query{Chains: []string{"bip122:x", "eip155:31337"}}, "MetaMask", func(n int) bool { return n > 60 && n < len(d) }},
		"a namespace of no wallet":           {directory.Query{Chains: []string{"cosmos:cosmoshub-4"}}, "", func(n int) bool { return n == 0 }},
		"the ids to choose from":             {directory.Query{Include: []string{metaMask, "unknown"}}, "MetaMask", func(n int) bool { return n == 1 }},
		"all but some":                       {directory.Query{Exclude: []string{metaMask}}, "Trust Wallet", func(n int) bool { return n == len(d)-1 }},
		"an id both ways is left out":        {directory.Query{Include: []string{metaMask}, Exclude: []string{metaMask}}, "", func(n int) bool { return n == 0 }},
		"certified, of which there are none": {directory.Query{Certified: &yes}, "", func(n int) bool { return n == 0 }},
		"the public relay":                   {directory.Query{Reach: []string{directory.PublicRelay}}, "MetaMask", func(n int) bool { return n > 40 && n < len(d) }},
		"a link into the app's browser":      {directory.Query{Reach: []string{directory.ByBrowser}}, "MetaMask", func(n int) bool { return n >= 15 && n < 40 }},
		"a link with a scheme of the app":    {directory.Query{Reach: []string{directory.ByScheme}}, "Rainbow", func(n int) bool { return n > 2 && n < 15 }},
	} {
		selected, count := d.Select(tt.query, 1, 40)
		first := ""
		if len(selected) > 0 {
			first = selected[0].Name
		}
		if first != tt.first || !tt.count(count) || len(selected) != min(count, 40) {
			t.Errorf("%s: first %q of %d, %d on the page", behaviour, first, count, len(selected))
		}
	}
}

func TestAWalletIsReachedByOneOfSeveralWays(t *testing.T) {
	d := directory.Directory{
		{Name: "own", Relays: []string{directory.OwnRelay}},
		{Name: "both", Relays: []string{directory.OwnRelay, directory.PublicRelay}},
		{Name: "browser", Browser: "https://wallet.example.org/{url}"},
		{Name: "scheme", BrowserScheme: "own://{url}"},
		{Name: "extension", RDNS: "org.example.wallet"},
	}
	for _, tt := range []struct{ reach, want string }{
		{"", "own both browser scheme extension"},
		{"own", "own both"},
		{"public", "both"},
		{"own browser", "own both browser"},
		{"own public browser scheme", "own both browser scheme"},
	} {
		selected, count := d.Select(directory.Query{Reach: strings.Fields(tt.reach)}, 1, 40)
		var names []string
		for _, w := range selected {
			names = append(names, w.Name)
		}
		if got := strings.Join(names, " "); got != tt.want || count != len(selected) {
			t.Errorf("%q: %q of %d, want %q", tt.reach, got, count, tt.want)
		}
	}
}

func TestPagesTogetherAreTheWholeDirectory(t *testing.T) {
	d := builtIn(t)
	var ids []string
	for page := 1; ; page++ {
		selected, count := d.Select(directory.Query{}, page, 7)
		if count != len(d) {
			t.Fatalf("page %d counts %d", page, count)
		}
		if len(selected) == 0 {
			break
		}
		for _, w := range selected {
			if ids = append(ids, w.ID); w.Order != len(ids) {
				t.Errorf("%s has order %d, want %d", w.Name, w.Order, len(ids))
			}
		}
	}
	if len(ids) != len(d) {
		t.Errorf("%d wallets on the pages, want %d", len(ids), len(d))
	}
}

func TestFileOfAnOperatorReplacesTheDirectory(t *testing.T) {
	const good = `[{id: "` + metaMask + `", name: Own, homepage: "https://wallet.example.org", chains: [eip155], relays: [own], mobile: "own://"}]`
	wallets, err := directory.Load(write(t, good))
	if err != nil || len(wallets) != 1 || wallets[0].Relays[0] != directory.OwnRelay {
		t.Fatalf("%+v, %v", wallets, err)
	}
	for fault, change := range map[string][2]string{
		"id":       {metaMask, strings.ToUpper(metaMask)},
		"homepage": {"https://wallet", "http://wallet"},
		"chains":   {"[eip155]", "[]"},
		"relays":   {"[own]", "[other]"},
		"mobile":   {"own://", "javascript://alert"},
		"name":     {"name: Own", `name: ""`},
		"not foun": {"relays:", "relay:"},
	} {
		_, err := directory.Load(write(t, strings.Replace(good, change[0], change[1], 1)))
		if err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: %v", fault, err)
		}
	}
	if _, err := directory.Load(write(t, good[:len(good)-1]+", "+good[1:])); err == nil {
		t.Error("an id was accepted twice")
	}
	if _, err := directory.Load(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that does not exist was accepted")
	}
}

func TestAFormOfBrowserLinksIsRefusedThatAPageCannotFillIn(t *testing.T) {
	const form = `[{id: "` + metaMask + `", name: Own, homepage: "https://wallet.example.org", chains: [eip155], %s: '%s'}]`
	for _, tt := range []struct{ field, link, fault string }{
		{"browser", "https://wallet.example.org/dapp/{location}", ""},
		{"browser", "https://wallet.example.org/browse/{url}?ref={ref}", ""},
		{"browser", "https://wallet.example.org/get?link={encode:own://open?url={url}}", ""},
		{"browser", "https://wallet.example.org/get?link={base64:own://open?data={base64:url={page}}}", ""},
		{"browser_scheme", "own://open?url={url}", ""},
		{"browser", "https://wallet.example.org/", "in 0 places"},
		{"browser", "https://wallet.example.org/{url}?ref={url}", "in 2 places"},
		{"browser", "https://wallet.example.org/{encode:{url}}?{page}", "in 2 places"},
		{"browser", "https://wallet.example.org/{URL}", "browser: it is not a link"},
		{"browser", "https://wallet.example.org/{encode:{url}", "browser: it is not a link"},
		{"browser", "https://wallet.example.org/{rot13:{url}}", "browser: it is not a link"},
		{"browser", "https://wallet.example.org/#{url}", "browser: it is not a link"},
		{"browser", "https://user:secret@wallet.example.org/{url}", "browser: it is not a link"},
		{"browser", "http://wallet.example.org/{url}", "browser: it is not a link"},
		{"browser", "own://open?url={url}", "browser: it is not a link"},
		{"browser_scheme", "https://wallet.example.org/{url}", "browser_scheme: it is not a link"},
		{"browser_scheme", "javascript://open?url={url}", "browser_scheme: it is not a link"},
		{"browser_scheme", "own://user@open?url={url}", "browser_scheme: it is not a link"},
	} {
		_, err := directory.Load(write(t, fmt.Sprintf(form, tt.field, tt.link)))
		if (err == nil) != (tt.fault == "") || err != nil && !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("%s %s: %v, want %q", tt.field, tt.link, err, tt.fault)
		}
	}
}

func TestBuiltInDirectoryOpensPagesInTheBrowsersOfWallets(t *testing.T) {
	links := map[string]int{}
	for _, w := range builtIn(t) {
		if w.Browser != "" && w.BrowserScheme != "" {
			t.Errorf("%s: its link of a scheme is not used beside the other", w.Name)
		}
		if link := w.Browser + w.BrowserScheme; link != "" {
			if !slices.ContainsFunc(w.Sources, func(s string) bool { return !strings.Contains(s, "/rainbowkit/") }) {
				t.Errorf("%s: %s has no source", w.Name, link)
			}
			scheme, _, _ := strings.Cut(link, ":")
			links[scheme]++
		}
	}
	if links["https"] < 15 || len(links) < 8 {
		t.Errorf("links by scheme: %v", links)
	}
}

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "wallets.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
