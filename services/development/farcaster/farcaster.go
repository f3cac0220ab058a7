// Package farcaster is a Farcaster implementation for development: a relay with the routes of the real one, and a page that replaces the app and signs
// as test users. Contracts of the local chains are the registries of their ids.
package farcaster

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/accounts"

	"github.com/hawser-dev/hawser/proto/siwe"
	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

// Path is the prefix of the paths of the relay and the app.
const Path = "/farcaster/"

const (
	lifetime    = time.Hour
	maxChannels = 10_000
)

// Person is a test user with a Farcaster account.
type Person struct {
	FID  uint64
	Name string
	key  account.Key
}

// channel is one login.
type channel struct {
	domain, uri, nonce string
	expires            time.Time
	completed          map[string]any
}

// Farcaster is the relay and the app. It is safe for concurrent use.
type Farcaster struct {
	base string
	// chain is the reference of the chain that messages are for.
	chain  string
	clock  clock.Clock
	people []Person

	mu       sync.Mutex
	channels map[string]*channel
}

// New returns a Farcaster of a server at base, with registries on an EVM network, by CAIP-2 id.
func New(base, network string, c clock.Clock) (*Farcaster, error) {
	chain, err := caip.ParseChain(network)
	if err != nil {
		return nil, err
	}
	f := &Farcaster{base: strings.TrimSuffix(base, "/"), chain: chain.Reference, clock: c, channels: map[string]*channel{}}
	for _, p := range []struct {
		fid       uint64
		name, key string
	}{
		// Accounts of the local chains: m/44'/60'/0'/5/0, …/1 and …/2 of their mnemonic. Contracts there map them to these ids.
		{1001, "alice", "ed631fd61116c81b1ac2a477fc5138b069297be509974c38365e7725b0ab9031"},
		{1002, "bob", "95e5f774ce538c3ee1b8524054031b6a790b417002c50f17206be70f7b437ff0"},
		{1003, "carol", "150d5238cf12713d346b40a73bdd149a580ca000f21d213fc63c0ab63688f907"},
	} {
		key, err := account.ParseKey(p.key)
		if err != nil {
			return nil, err
		}
		f.people = append(f.people, Person{p.fid, p.name, key})
	}
	return f, nil
}

// Relay returns the address of the relay.
func (f *Farcaster) Relay() string { return f.base + strings.TrimSuffix(Path, "/") }

// People returns the test users.
func (f *Farcaster) People() []Person { return slices.Clone(f.people) }

// Address returns the custody address of a test user.
func (p Person) Address() evm.Address { return p.key.Address() }

// ServeHTTP serves the relay and the app.
func (f *Farcaster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	switch r.Method + " " + strings.TrimPrefix(r.URL.Path, Path) {
	case "POST v1/channel":
		f.open(w, r)
	case "GET v1/channel/status":
		f.status(w, r)
	case "GET siwf":
		f.app(w, r)
	case "POST siwf":
		f.approve(w, r)
	default:
		http.NotFound(w, r)
	}
}

// open opens a channel.
func (f *Farcaster) open(w http.ResponseWriter, r *http.Request) {
	var body struct{ SiweURI, Domain, Nonce string }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.SiweURI == "" || body.Domain == "" || len(body.Nonce) < 8 {
		writeJSON(w, http.StatusBadRequest, map[string]string{"error": "Validation error"})
		return
	}
	raw := make([]byte, 16)
	_, _ = rand.Read(raw)
	token := hex.EncodeToString(raw)
	f.mu.Lock()
	for t, c := range f.channels {
		if !f.clock.Now().Before(c.expires) {
			delete(f.channels, t)
		}
	}
	full := len(f.channels) >= maxChannels
	if !full {
		f.channels[token] = &channel{domain: body.Domain, uri: body.SiweURI, nonce: body.Nonce, expires: f.clock.Now().Add(lifetime)}
	}
	f.mu.Unlock()
	if full {
		writeJSON(w, http.StatusServiceUnavailable, map[string]string{"error": "Too many channels"})
		return
	}
	url := f.Relay() + "/siwf?channelToken=" + token
	writeJSON(w, http.StatusCreated, map[string]string{"channelToken": token, "url": url, "connectUri": url, "nonce": body.Nonce})
}

// status returns a channel, and closes it once it is completed.
func (f *Farcaster) status(w http.ResponseWriter, r *http.Request) {
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	f.mu.Lock()
	defer f.mu.Unlock()
	c, ok := f.channels[token]
	switch {
	case !ok || !f.clock.Now().Before(c.expires):
		writeJSON(w, http.StatusUnauthorized, map[string]string{"error": "Unauthorized"})
	case c.completed == nil:
		writeJSON(w, http.StatusAccepted, map[string]string{"state": "pending", "nonce": c.nonce})
	default:
		delete(f.channels, token)
		writeJSON(w, http.StatusOK, c.completed)
	}
}

var page = template.Must(template.New("app").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>Farcaster</title>
<style>
body { max-width: 420px; margin: 48px auto; padding: 0 16px; font: 16px/1.5 system-ui, sans-serif; color-scheme: light dark }
button { display: block; box-sizing: border-box; width: 100%; margin: 16px 0; padding: 12px 16px; border: 1px solid #8888; border-radius: 8px; font: inherit; text-align: left; color: inherit; background: none; cursor: pointer }
</style>
</head>
<body>
<h1>{{.Title}}</h1>
<p>{{.Text}}</p>
{{range .People}}<form method="post"><input type="hidden" name="channelToken" value="{{$.Token}}"><button name="name" value="{{.Name}}" data-testid="person-{{.Name}}">{{.Name}}</button></form>
{{end}}</body>
</html>
`))

// screen is the data of the page.
type screen struct {
	Title, Text, Token string
	People             []Person
}

func (f *Farcaster) show(w http.ResponseWriter, status int, s screen) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'")
	w.WriteHeader(status)
	_ = page.Execute(w, s)
}

// app serves a page on which a visitor selects a test user.
func (f *Farcaster) app(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("channelToken")
	f.mu.Lock()
	c, ok := f.channels[token]
	f.mu.Unlock()
	if !ok {
		f.show(w, http.StatusNotFound, screen{Title: "Farcaster", Text: "This login was used or has expired."})
		return
	}
	f.show(w, http.StatusOK, screen{"Sign in to " + c.domain, "This is Farcaster for development. Its people are made up.", token, f.people})
}

// approve signs the message as a test user.
func (f *Farcaster) approve(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "malformed", http.StatusBadRequest)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	c, ok := f.channels[r.PostForm.Get("channelToken")]
	if !ok {
		f.show(w, http.StatusNotFound, screen{Title: "Farcaster", Text: "This login was used or has expired."})
		return
	}
	for _, p := range f.people {
		if p.Name == r.PostForm.Get("name") {
			c.completed = p.sign(c, f.chain, f.clock.Now())
		}
	}
	f.show(w, http.StatusOK, screen{Title: "Signed in", Text: "You can close this page."})
}

// sign returns the message that the app sends through the relay.
func (p Person) sign(c *channel, chain string, now time.Time) map[string]any {
	m := siwe.Message{
		Domain: c.domain, Namespace: siwe.EIP155, Address: p.key.Address().String(), Statement: "Farcaster Auth", URI: c.uri, Version: "1", ChainID: chain,
		Nonce: c.nonce, IssuedAt: now.UTC().Format(time.RFC3339), Resources: []string{"farcaster://fid/" + jsonNumber(p.FID)},
	}
	text := m.String()
	sig := p.key.Sign([32]byte(accounts.TextHash([]byte(text))))
	return map[string]any{
		"state": "completed", "nonce": c.nonce, "message": text, "signature": "0x" + hex.EncodeToString(sig), "authMethod": "custody",
		"fid": p.FID, "username": p.Name, "displayName": p.Name, "custody": p.key.Address().String(),
	}
}

func jsonNumber(n uint64) string {
	raw, _ := json.Marshal(n)
	return string(raw)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
