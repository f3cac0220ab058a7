package directory

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/hawser-dev/hawser/services/onchain/caip"
)

//go:embed wallets.yaml
var builtIn []byte

// maxWallets bounds a directory.
const maxWallets = 5000

// The relays of wallets.
const (
	// PublicRelay is the relay of the WalletConnect network.
	PublicRelay = "public"
	// OwnRelay is the relay of this installation.
	OwnRelay = "own"
)

// The ways to reach a wallet without a relay.
const (
	// ByBrowser is its link (https) into the browser of its app.
	ByBrowser = "browser"
	// ByScheme is the same with a scheme of the app.
	ByScheme = "scheme"
)

// ways are all ways to reach a wallet.
var ways = []string{OwnRelay, PublicRelay, ByBrowser, ByScheme}

// Wallet is one entry of the directory.
type Wallet struct {
	// Key names the gateway's picture of the wallet; empty for none.
	Key string `yaml:"key"`
	// ID is 64 lower-case hex digits.
	ID       string `yaml:"id"`
	Name     string `yaml:"name"`
	Homepage string `yaml:"homepage"`
	// ImageURL replaces the gateway's picture (https).
	ImageURL string `yaml:"image_url"`
	RDNS     string `yaml:"rdns"`
	// Injected are the properties of the wallet's provider object (EIP-1193) that are true.
	Injected []string `yaml:"injected"`
	// Mobile, Universal, Desktop and WebApp are link prefixes; `wc?uri=` and a URI are appended.
	Mobile    string `yaml:"mobile"`
	Universal string `yaml:"universal"`
	Desktop   string `yaml:"desktop"`
	WebApp    string `yaml:"webapp"`
	// Browser is a link (https) that opens a page in the app's own browser, with placeholders. BrowserScheme is one with a scheme of the app, for an
	// app without an https link.
	Browser       string `yaml:"browser"`
	BrowserScheme string `yaml:"browser_scheme"`
	AppStore      string `yaml:"app_store"`
	PlayStore     string `yaml:"play_store"`
	ChromeStore   string `yaml:"chrome_store"`
	Certified     bool   `yaml:"certified"`
	// Chains are CAIP-2 ids, or namespaces, which mean all of their chains.
	Chains []string `yaml:"chains"`
	Relays []string `yaml:"relays"`
	// Sources are the sources of the facts.
	Sources []string `yaml:"sources"`
}

// Load reads the directory from a file, or the built-in one if path is empty.
func Load(path string) ([]Wallet, error) {
	raw := builtIn
	if path != "" {
		var err error
		if raw, err = os.ReadFile(path); err != nil {
			return nil, fmt.Errorf("directory.file: %w", err)
		}
	}
	d := yaml.NewDecoder(bytes.NewReader(raw))
	d.KnownFields(true)
	var wallets []Wallet
	if err := d.Decode(&wallets); err != nil {
		return nil, fmt.Errorf("directory.file: %w", err)
	}
	if len(wallets) > maxWallets {
		return nil, fmt.Errorf("directory.file: there are over %d wallets", maxWallets)
	}
	seen := map[string]bool{}
	for i, w := range wallets {
		if err := w.check(); err != nil {
			return nil, fmt.Errorf("directory.file: wallet %d, %q: %w", i+1, w.Name, err)
		}
		if seen[w.ID] {
			return nil, fmt.Errorf("directory.file: wallet %d, %q: its id is that of an earlier wallet", i+1, w.Name)
		}
		seen[w.ID] = true
	}
	return wallets, nil
}

var (
	idForm        = regexp.MustCompile(`^[0-9a-f]{64}$`)
	keyForm       = regexp.MustCompile(`^[a-z0-9-]{0,64}$`)
	rdnsForm      = regexp.MustCompile(`^[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)+$`)
	propertyForm  = regexp.MustCompile(`^[a-zA-Z_$][a-zA-Z0-9_$]*$`)
	namespaceForm = regexp.MustCompile(`^[-a-z0-9]{3,8}$`)
	schemeForm    = regexp.MustCompile(`^[a-z][a-z0-9+.-]*$`)
	// placeholder matches one without another in it. The first group is set for one that stands for the page's URL.
	placeholder = regexp.MustCompile(`\{(?:(url|location|page)|ref|(?:encode|base64):[^{}]*)\}`)
)

// scripts are URL schemes that could run code in the page.
var scripts = []string{"javascript", "data", "vbscript", "blob", "file", "about"}

func (w Wallet) check() error {
	switch {
	case !idForm.MatchString(w.ID):
		return errors.New("id: it is not 64 lower-case hex digits")
	case w.Name == "" || len(w.Name) > 80:
		return errors.New("name: it is empty or over 80 bytes")
	case !keyForm.MatchString(w.Key):
		return errors.New("key: it is not lower-case letters, digits and hyphens")
	case w.RDNS != "" && !rdnsForm.MatchString(w.RDNS):
		return errors.New("rdns: it is not a reverse domain name")
	case !isHTTPS(w.Homepage):
		return errors.New("homepage: it is not an https URL")
	case slices.ContainsFunc(w.Injected, func(p string) bool { return !propertyForm.MatchString(p) }):
		return errors.New("injected: there is one that is not the name of a property")
	case slices.ContainsFunc(w.Relays, func(r string) bool { return r != PublicRelay && r != OwnRelay }):
		return errors.New("relays: there is one that is neither public nor own")
	case len(w.Chains) == 0 || slices.ContainsFunc(w.Chains, func(c string) bool { return !isChain(c) }):
		return errors.New("chains: they are not CAIP-2 ids or namespaces")
	}
	for _, link := range []struct {
		key, value string
		isLink     func(string) bool
	}{{"browser", w.Browser, isHTTPS}, {"browser_scheme", w.BrowserScheme, isAppScheme}} {
		if link.value == "" {
			continue
		}
		plain, places := withoutPlaceholders(link.value)
		if !link.isLink(plain) || strings.ContainsAny(plain, "{}#") {
			return fmt.Errorf("%s: it is not a link with known placeholders", link.key)
		}
		if places != 1 {
			return fmt.Errorf("%s: it has the page's URL in %d places, not in one", link.key, places)
		}
	}
	for _, link := range []struct{ key, value string }{
		{"image_url", w.ImageURL}, {"universal", w.Universal}, {"webapp", w.WebApp}, {"app_store", w.AppStore}, {"play_store", w.PlayStore},
		{"chrome_store", w.ChromeStore},
	} {
		if link.value != "" && !isHTTPS(link.value) {
			return fmt.Errorf("%s: it is not an https URL", link.key)
		}
	}
	for _, link := range []struct{ key, value string }{{"mobile", w.Mobile}, {"desktop", w.Desktop}} {
		if link.value != "" && !isDeepLink(link.value) {
			return fmt.Errorf("%s: it is not a link of an app", link.key)
		}
	}
	return nil
}

// withoutPlaceholders returns a link with its placeholders removed, and the number of those that stand for the page's URL.
func withoutPlaceholders(link string) (plain string, places int) {
	for placeholder.MatchString(link) {
		link = placeholder.ReplaceAllStringFunc(link, func(found string) string {
			if placeholder.FindStringSubmatch(found)[1] != "" {
				places++
			}
			return ""
		})
	}
	return link, places
}

func isHTTPS(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil
}

func isDeepLink(text string) bool {
	scheme, _, ok := strings.Cut(text, "://")
	return ok && schemeForm.MatchString(scheme) && !slices.Contains(scripts, scheme) && scheme != "http" && !strings.ContainsAny(text, " \"'<>\\\n")
}

// isAppScheme reports whether a text is a link of an app that is no web address.
func isAppScheme(text string) bool {
	return isDeepLink(text) && !strings.HasPrefix(text, "https:") && !strings.Contains(text, "@")
}

func isChain(text string) bool {
	_, err := caip.ParseChain(text)
	return err == nil || namespaceForm.MatchString(text)
}

// worksOn reports whether the wallet supports one of the chains.
func (w Wallet) worksOn(chains []string) bool {
	return slices.ContainsFunc(chains, func(chain string) bool {
		namespace, _, _ := strings.Cut(chain, ":")
		return slices.Contains(w.Chains, chain) || slices.Contains(w.Chains, namespace)
	})
}

// isReached reports whether one of the ways reaches the wallet.
func (w Wallet) isReached(by []string) bool {
	return slices.ContainsFunc(by, func(way string) bool {
		switch way {
		case ByBrowser:
			return w.Browser != ""
		case ByScheme:
			return w.BrowserScheme != ""
		default:
			return slices.Contains(w.Relays, way)
		}
	})
}
