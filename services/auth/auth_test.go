package auth_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"google.golang.org/protobuf/proto"

	authv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/auth/v1"
	"github.com/hawser-dev/hawser/proto/siwe"
	"github.com/hawser-dev/hawser/services/auth"
	"github.com/hawser-dev/hawser/services/auth/authtest"
	"github.com/hawser-dev/hawser/services/auth/proof"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

const (
	project = "00000000000000000000000000000001"
	page    = "https://shop.example"
)

func TestStores(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s, err := auth.NewSQLStore(t.Context(), db, bustest.Outbox(t, db))
		if err != nil {
			t.Fatal(err)
		}
		authtest.RunStore(t, s)
	})
}

func TestASignInIsPublishedWithoutItsToken(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s, err := auth.NewSQLStore(t.Context(), db, bustest.Outbox(t, db))
		if err != nil {
			t.Fatal(err)
		}
		session := auth.Session{
			TokenHash: "hash", Site: auth.Site{Project: project, Origin: page}, Domain: "shop.example", Address: "0xA", ChainIDs: []string{"eip155:1", "eip155:10"},
			IssuedAt: time.UnixMilli(1_700_000_000_123), Expires: time.UnixMilli(1_800_000_000_000),
		}
		if err := s.InsertSession(t.Context(), session); err != nil {
			t.Fatal(err)
		}
		if err := s.InsertSession(t.Context(), session); err == nil {
			t.Error("a token is stored twice")
		}
		want := &authv1.SignedIn{ProjectId: project, Address: "0xA", ChainIds: []string{"eip155:1", "eip155:10"}, SignedInAt: 1_700_000_000_123}
		if got := bustest.Waiting[*authv1.SignedIn](t, db); len(got) != 1 || !proto.Equal(got[0], want) {
			t.Errorf("published %v", got)
		}
	})
}

// table is a network table of the local chains.
type table map[string]bool

func (n table) Serves(_ context.Context, chainID string) (bool, error) { return n[chainID], nil }

// world is an authenticator on a database and the local chains.
type world struct {
	*auth.Authenticator
	t     *testing.T
	site  auth.Site
	clock *clocktest.Stopped
	chain devnettest.Chain
	other devnettest.Chain
	// away makes nodes unreachable.
	away bool
}

func newWorld(t *testing.T) *world {
	t.Helper()
	chains := devnettest.Start(t).Chains
	w := &world{t: t, clock: clocktest.StoppedAt(time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)), chain: chains[0], other: chains[1]}
	by := map[string]devnettest.Chain{w.chain.CAIP2: w.chain, w.other.CAIP2: w.other}
	verifier := signature.NewVerifier(func(chainID string) chainclient.Transport {
		if w.away {
			return func(context.Context, []byte) ([]byte, error) { return nil, errors.New("no node answers") }
		}
		return by[chainID].Forward
	})
	db := storetest.Open(t, storetest.SQLite(t))
	kept, err := auth.NewSQLStore(t.Context(), db, bustest.Outbox(t, db))
	if err != nil {
		t.Fatal(err)
	}
	w.Authenticator = auth.NewAuthenticator(kept, table{w.chain.CAIP2: true, w.other.CAIP2: true}, verifier, w.clock, rand.Reader, 24*time.Hour)
	if w.site, err = auth.SiteOf(project, page); err != nil {
		t.Fatal(err)
	}
	return w
}

// message returns a message of the page with a new nonce, and the nonce's token.
func (w *world) message(address string) (siwe.Message, string) {
	w.t.Helper()
	n, token, err := w.CreateNonce(w.t.Context(), w.site)
	if err != nil {
		w.t.Fatal(err)
	}
	return siwe.Message{
		Domain: "shop.example", Namespace: siwe.EIP155, Address: address, Statement: "Willkommen bei Müller.", URI: page + "/login", Version: "1",
		ChainID: strings.TrimPrefix(w.chain.CAIP2, "eip155:"), Nonce: n.Value, IssuedAt: w.clock.Now().Format(time.RFC3339),
	}, token
}

// signIn signs a message and authenticates with it.
func (w *world) signIn(m siwe.Message, token string, sign func(text string) string) (auth.Session, string, error) {
	p, err := proof.Read(m.String(), sign(m.String()))
	if err != nil {
		w.t.Fatal(err)
	}
	return w.Authenticate(w.t.Context(), w.site, token, []proof.Proof{p})
}

func TestSignInWithAKey(t *testing.T) {
	w, account := newWorld(t), signaturetest.NewAccount(1)
	w.away = true // A key needs no node.
	m, token := w.message(account.Address().String())
	session, secret, err := w.signIn(m, token, account.Sign)
	if err != nil {
		t.Fatal(err)
	}
	if session.Address != account.Address().String() || !session.AllChains || session.ChainID != w.chain.CAIP2 || !session.Expires.Equal(w.clock.Now().Add(24*time.Hour)) {
		t.Errorf("%+v", session)
	}
	for behaviour, tt := range map[string]struct {
		project, origin, token string
		want                   error
	}{
		"the page":                    {project, page, secret, nil},
		"the page with its port":      {project, page + ":443", secret, nil},
		"a server of the site":        {project, "", secret, nil},
		"a page of another origin":    {project, "https://evil.example", secret, auth.ErrSession},
		"a subdomain":                 {project, "https://a.shop.example", secret, auth.ErrSession},
		"the page without encryption": {project, "http://shop.example", secret, auth.ErrSession},
		"an opaque origin":            {project, "null", secret, auth.ErrSession},
		"another project":             {"00000000000000000000000000000002", page, secret, auth.ErrSession},
		"another token":               {project, page, secret[1:] + "A", auth.ErrSession},
		"the hash as a token":         {project, page, session.TokenHash, auth.ErrSession},
		"no token":                    {project, page, "", auth.ErrSession},
	} {
		if _, err := w.Session(t.Context(), tt.project, tt.origin, tt.token); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", behaviour, err, tt.want)
		}
	}
	w.clock.Pass(24 * time.Hour)
	if _, err := w.Session(t.Context(), project, page, secret); !errors.Is(err, auth.ErrSession) {
		t.Errorf("after a day: %v", err)
	}
}

func TestSignOutEndsTheSession(t *testing.T) {
	w, account := newWorld(t), signaturetest.NewAccount(1)
	m, token := w.message(account.Address().String())
	_, secret, err := w.signIn(m, token, account.Sign)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.SignOut(t.Context(), "00000000000000000000000000000002", secret); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Session(t.Context(), project, page, secret); err != nil {
		t.Errorf("another project ended it: %v", err)
	}
	if err := w.SignOut(t.Context(), project, secret); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Session(t.Context(), project, page, secret); !errors.Is(err, auth.ErrSession) {
		t.Errorf("after the sign-out: %v", err)
	}
}

func TestSessionEndsWithItsMessage(t *testing.T) {
	w, account := newWorld(t), signaturetest.NewAccount(1)
	m, token := w.message(account.Address().String())
	m.ExpirationTime = w.clock.Now().Add(time.Hour).Format(time.RFC3339)
	session, _, err := w.signIn(m, token, account.Sign)
	if err != nil || !session.Expires.Equal(w.clock.Now().Add(time.Hour)) {
		t.Errorf("%+v, %v", session, err)
	}
}

func TestMessagesThatAreRefused(t *testing.T) {
	w, account, other := newWorld(t), signaturetest.NewAccount(1), signaturetest.NewAccount(2)
	at := func(d time.Duration) string { return w.clock.Now().Add(d).Format(time.RFC3339) }
	for behaviour, tt := range map[string]struct {
		change func(m *siwe.Message)
		want   error
	}{
		"as it should be":             {func(*siwe.Message) {}, nil},
		"with the scheme of the page": {func(m *siwe.Message) { m.Scheme = "https" }, nil},
		"with the port of the page":   {func(m *siwe.Message) { m.Domain, m.URI = "shop.example:443", "https://shop.example:443/x" }, nil},
		"from a clock ahead":          {func(m *siwe.Message) { m.IssuedAt = at(time.Minute) }, nil},
		"ten minutes old":             {func(m *siwe.Message) { m.IssuedAt = at(-10 * time.Minute) }, nil},
		"another scheme":              {func(m *siwe.Message) { m.Scheme = "http" }, auth.ErrDomain},
		"another domain":              {func(m *siwe.Message) { m.Domain = "evil.example" }, auth.ErrDomain},
		"a subdomain":                 {func(m *siwe.Message) { m.Domain = "a.shop.example" }, auth.ErrDomain},
		"a look-alike domain":         {func(m *siwe.Message) { m.Domain = "shоp.example" }, auth.ErrDomain},
		"another port":                {func(m *siwe.Message) { m.Domain = "shop.example:8443" }, auth.ErrDomain},
		"a URI of another site":       {func(m *siwe.Message) { m.URI = "https://evil.example/" }, auth.ErrDomain},
		"a URI without encryption":    {func(m *siwe.Message) { m.URI = "http://shop.example/" }, auth.ErrDomain},
		"a URI with a user":           {func(m *siwe.Message) { m.URI = "https://a@shop.example/" }, auth.ErrDomain},
		"a URI of another kind":       {func(m *siwe.Message) { m.URI = "urn:shop.example" }, auth.ErrDomain},
		"issued in the future":        {func(m *siwe.Message) { m.IssuedAt = at(time.Minute + time.Second) }, auth.ErrStale},
		"issued too long ago":         {func(m *siwe.Message) { m.IssuedAt = at(-10*time.Minute - time.Second) }, auth.ErrStale},
		"expired":                     {func(m *siwe.Message) { m.ExpirationTime = at(0) }, auth.ErrStale},
		"not yet valid":               {func(m *siwe.Message) { m.NotBefore = at(2 * time.Minute) }, auth.ErrStale},
		"without a checksum":          {func(m *siwe.Message) { m.Address = strings.ToLower(m.Address) }, auth.ErrAddress},
		"a chain that is not served":  {func(m *siwe.Message) { m.ChainID = "424242" }, &auth.ChainError{}},
		"a chain of another kind":     {func(m *siwe.Message) { m.Address = "0x12" }, auth.ErrAddress},
		"another account":             {func(m *siwe.Message) { m.Address = other.Address().String() }, signature.ErrWrong},
		"another nonce":               {func(m *siwe.Message) { m.Nonce = "0123456789abcdef" }, auth.ErrNonce},
	} {
		t.Run(behaviour, func(t *testing.T) {
			m, token := w.message(account.Address().String())
			tt.change(&m)
			_, _, err := w.signIn(m, token, account.Sign)
			if _, wantsChain := errors.AsType[*auth.ChainError](tt.want); wantsChain {
				if _, ok := errors.AsType[*auth.ChainError](err); !ok {
					t.Errorf("err = %v", err)
				}
				return
			}
			if !errors.Is(err, tt.want) {
				t.Errorf("err = %v, want %v", err, tt.want)
			}
		})
	}
}

func TestSignaturesThatAreRefused(t *testing.T) {
	w, account := newWorld(t), signaturetest.NewAccount(1)
	for behaviour, tt := range map[string]struct {
		sign func(text string) string
		want error
	}{
		"of another text":                {func(string) string { return account.Sign("another text") }, signature.ErrWrong},
		"with s in the upper half":       {account.SignHigh, signature.ErrMalformed},
		"that is empty":                  {func(string) string { return "0x" }, signature.ErrMalformed},
		"without 0x":                     {func(text string) string { return account.Sign(text)[2:] }, signature.ErrMalformed},
		"that is too long":               {func(string) string { return "0x" + strings.Repeat("00", signature.MaxSize+1) }, signature.ErrMalformed},
		"of a factory that fails":        {func(string) string { return "0x" + strings.Repeat("00", 96) + strings.Repeat("6492", 16) }, signature.ErrWrong},
		"of a contract, without a node":  {func(string) string { return "0x01" }, signature.ErrUnavailable},
		"of another key, without a node": {signaturetest.NewAccount(2).Sign, signature.ErrUnavailable},
	} {
		t.Run(behaviour, func(t *testing.T) {
			w.away = errors.Is(tt.want, signature.ErrUnavailable)
			m, token := w.message(account.Address().String())
			if _, _, err := w.signIn(m, token, tt.sign); !errors.Is(err, tt.want) {
				t.Errorf("err = %v, want %v", err, tt.want)
			}
		})
	}
}

func TestNonceIsUsedOnceByItsOwnBrowserAndPage(t *testing.T) {
	w, account := newWorld(t), signaturetest.NewAccount(1)
	address := account.Address().String()

	t.Run("a second sign-in fails", func(t *testing.T) {
		m, token := w.message(address)
		if _, _, err := w.signIn(m, token, account.Sign); err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.signIn(m, token, account.Sign); !errors.Is(err, auth.ErrNonce) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("is used up by a failed attempt", func(t *testing.T) {
		m, token := w.message(address)
		if _, _, err := w.signIn(m, token, signaturetest.NewAccount(2).Sign); !errors.Is(err, signature.ErrWrong) {
			t.Fatal(err)
		}
		if _, _, err := w.signIn(m, token, account.Sign); !errors.Is(err, auth.ErrNonce) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("is refused from another browser", func(t *testing.T) {
		m, _ := w.message(address)
		_, otherToken := w.message(address)
		if _, _, err := w.signIn(m, otherToken, account.Sign); !errors.Is(err, auth.ErrNonce) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("is refused from a page of another origin", func(t *testing.T) {
		m, token := w.message(address)
		p, err := proof.Read(m.String(), account.Sign(m.String()))
		if err != nil {
			t.Fatal(err)
		}
		evil := auth.Site{Project: project, Origin: "https://evil.example"}
		if _, _, err := w.Authenticate(t.Context(), evil, token, []proof.Proof{p}); !errors.Is(err, auth.ErrNonce) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("it expires", func(t *testing.T) {
		m, token := w.message(address)
		w.clock.Pass(5 * time.Minute)
		if _, _, err := w.signIn(m, token, account.Sign); !errors.Is(err, auth.ErrNonce) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("it has 22 letters and digits", func(t *testing.T) {
		seen := map[string]bool{}
		for range 200 {
			n, token, err := w.CreateNonce(t.Context(), w.site)
			if err != nil || len(n.Value) != 22 || len(token) != 43 || seen[n.Value] || seen[token] {
				t.Fatalf("%+v, %v", n, err)
			}
			seen[n.Value], seen[token] = true, true
		}
	})
}

func TestSignInWithAContract(t *testing.T) {
	w := newWorld(t)
	wallet := evm.MustAddress("0x00000000000000000000000000000000000a11CE")
	w.chain.Call(t, "anvil_setCode", wallet.String(), signaturetest.WalletCode)
	sign := func(text string) string { return hexutil.Encode(signaturetest.WalletSignature(text)) }

	m, token := w.message(wallet.String())
	session, _, err := w.signIn(m, token, sign)
	if err != nil || session.AllChains || len(session.ChainIDs) != 1 || session.ChainIDs[0] != w.chain.CAIP2 {
		t.Errorf("deployed: %+v, %v", session, err)
	}
	m, token = w.message(wallet.String())
	m.ChainID = strings.TrimPrefix(w.other.CAIP2, "eip155:")
	if _, _, err := w.signIn(m, token, sign); !errors.Is(err, signature.ErrWrong) {
		t.Errorf("on a chain where it is not deployed: %v", err)
	}

	// The address of a counterfactual wallet does not depend on what it signs.
	address, _ := signaturetest.Counterfactual("")
	m, token = w.message(address.String())
	session, _, err = w.signIn(m, token, func(text string) string {
		_, wrapped := signaturetest.Counterfactual(text)
		return hexutil.Encode(wrapped)
	})
	if err != nil || session.AllChains {
		t.Errorf("not deployed yet: %+v, %v", session, err)
	}
}

func TestSignInOnSolana(t *testing.T) {
	w := newWorld(t)
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sign := func(text string) string { return base58(ed25519.Sign(private, []byte(text))) }
	message := func() (siwe.Message, string) {
		m, token := w.message(base58(public))
		m.Namespace, m.ChainID = siwe.Solana, "mainnet"
		return m, token
	}
	m, token := message()
	session, _, err := w.signIn(m, token, sign)
	if err != nil || session.ChainID != "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp" || !session.AllChains || session.Address != base58(public) {
		t.Errorf("%+v, %v", session, err)
	}
	m, token = message()
	if _, _, err := w.signIn(m, token, func(string) string { return sign("another text") }); !errors.Is(err, signature.ErrWrong) {
		t.Errorf("a signature of another text: %v", err)
	}
	m, token = message()
	if _, _, err := w.signIn(m, token, func(text string) string { return "0" + sign(text)[1:] }); !errors.Is(err, signature.ErrMalformed) {
		t.Errorf("a signature that is not base 58: %v", err)
	}
	m, token = message()
	m.Address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
	if _, _, err := w.signIn(m, token, sign); !errors.Is(err, signature.ErrMalformed) {
		t.Errorf("an address of another namespace: %v", err)
	}
}

// cacao returns a CACAO of an account for the local chain.
func (w *world) cacao(m siwe.Message, chain devnettest.Chain, text string, account signaturetest.Account) proof.Cacao {
	fields := m
	fields.Namespace, fields.ChainID, fields.Address = "", "", ""
	if text == "" {
		m.ChainID = strings.TrimPrefix(chain.CAIP2, "eip155:")
		text = m.String()
	}
	return proof.Cacao{Issuer: "did:pkh:" + chain.CAIP2 + ":" + m.Address, Form: "caip122", Fields: fields, Signature: account.Sign(text)}
}

func (w *world) authenticate(token string, cacaos ...proof.Cacao) (auth.Session, error) {
	w.t.Helper()
	var proofs []proof.Proof
	for _, c := range cacaos {
		p, err := c.Read()
		if err != nil {
			return auth.Session{}, err
		}
		proofs = append(proofs, p)
	}
	s, _, err := w.Authenticate(w.t.Context(), w.site, token, proofs)
	return s, err
}

func TestSignInWithCACAOs(t *testing.T) {
	w, account, other := newWorld(t), signaturetest.NewAccount(1), signaturetest.NewAccount(2)
	address := account.Address().String()

	t.Run("on two chains with one nonce", func(t *testing.T) {
		m, token := w.message(address)
		s, err := w.authenticate(token, w.cacao(m, w.chain, "", account), w.cacao(m, w.other, "", account))
		if err != nil || len(s.ChainIDs) != 2 || s.ChainID != w.chain.CAIP2 || !s.AllChains {
			t.Errorf("%+v, %v", s, err)
		}
	})
	t.Run("with a ReCap whose sentence the wallet adds or not", func(t *testing.T) {
		const recap = `{"att":{"eip155":{"request/personal_sign":[{"chains":["eip155:1"]}],"request/eth_sendTransaction":[{}]}}}`
		const sentence = "I further authorize the stated URI to perform the following actions on my behalf: " +
			"(1) 'request': 'eth_sendTransaction', 'personal_sign' for 'eip155'."
		for _, statement := range []string{"Welcome.", "Welcome. " + sentence, sentence} {
			m, token := w.message(address)
			m.Statement, m.Resources = "Welcome.", []string{"urn:recap:" + base64.RawStdEncoding.EncodeToString([]byte(recap))}
			if statement == sentence {
				m.Statement = ""
			}
			signed := m
			signed.Statement = statement
			if _, err := w.authenticate(token, w.cacao(m, w.chain, signed.String(), account)); err != nil {
				t.Errorf("%q: %v", statement, err)
			}
		}
	})
	t.Run("of two accounts is refused", func(t *testing.T) {
		m, token := w.message(address)
		second := m
		second.Address = other.Address().String()
		if _, err := w.authenticate(token, w.cacao(m, w.chain, "", account), w.cacao(second, w.other, "", other)); !errors.Is(err, auth.ErrAccounts) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("with two nonces is refused", func(t *testing.T) {
		m, token := w.message(address)
		second, _ := w.message(address)
		if _, err := w.authenticate(token, w.cacao(m, w.chain, "", account), w.cacao(second, w.other, "", account)); !errors.Is(err, auth.ErrAccounts) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("with one wrong signature open no session", func(t *testing.T) {
		m, token := w.message(address)
		if _, err := w.authenticate(token, w.cacao(m, w.chain, "", account), w.cacao(m, w.other, "another text", account)); !errors.Is(err, signature.ErrWrong) {
			t.Errorf("err = %v", err)
		}
	})
	for behaviour, change := range map[string]func(c *proof.Cacao){
		"a line feed in the statement":     func(c *proof.Cacao) { c.Fields.Statement = "Welcome.\n\nURI: https://evil.example" },
		"a line feed in the request id":    func(c *proof.Cacao) { c.Fields.RequestID = "1\nResources:\n- https://evil.example" },
		"a line feed in a resource":        func(c *proof.Cacao) { c.Fields.Resources = []string{"https://a.example\n- https://evil.example"} },
		"another form":                     func(c *proof.Cacao) { c.Form = "caip999" },
		"an issuer that is not an account": func(c *proof.Cacao) { c.Issuer = "did:pkh:eip155:1" },
		"another kind of issuer":           func(c *proof.Cacao) { c.Issuer = strings.Replace(c.Issuer, "did:pkh", "did:key", 1) },
	} {
		t.Run("with "+behaviour+" is refused", func(t *testing.T) {
			m, token := w.message(address)
			c := w.cacao(m, w.chain, "", account)
			change(&c)
			if _, err := w.authenticate(token, c); !errors.Is(err, siwe.ErrMessage) {
				t.Errorf("err = %v", err)
			}
		})
	}
}

// base58 encodes bytes as Solana does.
func base58(raw []byte) string {
	const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	n, radix, digit := new(big.Int).SetBytes(raw), big.NewInt(58), new(big.Int)
	var text []byte
	for n.Sign() > 0 {
		n.DivMod(n, radix, digit)
		text = append([]byte{alphabet[digit.Int64()]}, text...)
	}
	for _, b := range raw {
		if b != 0 {
			break
		}
		text = append([]byte{alphabet[0]}, text...)
	}
	return string(text)
}
