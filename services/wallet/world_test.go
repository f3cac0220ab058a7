package wallet_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"regexp"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/development/inbox"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	evmaccount "github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/wallet"
	"github.com/hawser-dev/hawser/services/wallet/wallettest"
)

const (
	project = "00000000000000000000000000000001"
	other   = "00000000000000000000000000000002"
	alice   = "alice@example.org"
)

// noChain has no nodes.
type noChain struct{}

func (noChain) Agreed(string) chainclient.Transport {
	return func(context.Context, []byte) ([]byte, error) { return nil, errors.New("no node answers") }
}

// world is a wallet service with a mailbox.
type world struct {
	t     *testing.T
	cfg   wallet.Config
	db    *store.DB
	clock *clocktest.Stopped
	chain wallet.Chains
	inbox *inbox.Inbox
	// log holds everything that the service logs.
	log    *bytes.Buffer
	server *wallet.Server
	// wallets holds the key of the wallet of each user.
	wallets map[string]evmaccount.Key
	run.Local
}

func newWorld(t *testing.T, db *store.DB, change ...func(*wallet.Config)) *world {
	t.Helper()
	return newWorldAt(t, db, newClock(), noChain{}, change...)
}

func newClock() *clocktest.Stopped {
	return clocktest.StoppedAt(time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC))
}

func newWorldAt(t *testing.T, db *store.DB, clock *clocktest.Stopped, chain wallet.Chains, change ...func(*wallet.Config)) *world {
	t.Helper()
	box, err := inbox.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = box.Serve(t.Context()) })
	t.Cleanup(serving.Wait)
	cfg := wallet.DefaultConfig()
	cfg.DataDir, cfg.FrameOrigin, cfg.LoginsPerEmail, cfg.LoginsPerAddress = t.TempDir(), "http://wallet.localhost:5174", 0, 0
	cfg.Mail.Host, cfg.Mail.Port, cfg.Mail.TLS = "127.0.0.1", box.Port(), "none"
	for _, c := range change {
		c(&cfg)
	}
	w := &world{t: t, cfg: cfg, db: db, clock: clock, chain: chain, inbox: box, log: &bytes.Buffer{}, wallets: map[string]evmaccount.Key{}}
	w.start()
	return w
}

// start opens the service on the database, as another process would.
func (w *world) start() {
	w.t.Helper()
	s, err := wallet.NewServer(w.t.Context(), w.cfg, wallet.Deps{
		Chain: w.chain, DB: w.db, Outbox: bustest.Outbox(w.t, w.db), Clock: w.clock,
		Log: slog.New(slog.NewJSONHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.Local, w.server = run.Local{}, s
	s.Register(&w.Local)
}

// visitor is a device that calls the service.
type visitor struct {
	*wallettest.Device
	w *world
	// wallet is the key of the wallet that the visitor tried to create last.
	wallet evmaccount.Key
}

func (w *world) visitor() *visitor {
	return &visitor{Device: wallettest.NewDevice(w.t, w.clock.Now, project), w: w}
}

// call makes a call with a valid proof, and returns its error.
func call[Res any, Req proto.Message](v *visitor, method string, req Req) (*Res, error) {
	body, err := proto.Marshal(req)
	if err != nil {
		v.w.t.Fatal(err)
	}
	return callAs[Res](v, v.Call(method, body), method, req)
}

// callAs makes a call as the caller.
func callAs[Res any, Req proto.Message](v *visitor, as caller.Caller, method string, req Req) (*Res, error) {
	res := new(Res)
	return res, v.w.Invoke(caller.NewOutgoingContext(context.WithoutCancel(v.w.t.Context()), as), method, req, res)
}

// must returns what a call returned, and fails the test if it failed: must(call(...))(t).
func must[Res any](res *Res, err error) func(t *testing.T) *Res {
	return func(t *testing.T) *Res {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
}

// refused fails the test unless a call fails for the reason.
func refused(t *testing.T, err error, reason faultv1.Reason) *fault.Error {
	t.Helper()
	if err == nil {
		t.Fatalf("it succeeded; want %s", reason)
	}
	f := fault.From(err)
	if f.Reason != reason {
		t.Fatalf("%v; want %s", err, reason)
	}
	return f
}

var (
	sixDigits = regexp.MustCompile(`\b\d{6}\b`)
	linkToken = regexp.MustCompile(`#token=([\w-]+)`)
)

// lastMail returns the last mail to an address.
func (w *world) lastMail(to string) inbox.Mail {
	w.t.Helper()
	mails := w.inbox.Mails(to)
	if len(mails) == 0 {
		w.t.Fatalf("no mail to %s", to)
	}
	return mails[0]
}

func (w *world) code(to string) string {
	w.t.Helper()
	code := sixDigits.FindString(w.lastMail(to).Text)
	if code == "" {
		w.t.Fatalf("no code in %q", w.lastMail(to).Text)
	}
	return code
}

func (w *world) link(to string) string {
	w.t.Helper()
	found := linkToken.FindStringSubmatch(w.lastMail(to).Text)
	if found == nil {
		w.t.Fatalf("no link in %q", w.lastMail(to).Text)
	}
	return found[1]
}

// start starts a login.
func (v *visitor) start(email string) (*walletv1.StartEmailResponse, error) {
	return call[walletv1.StartEmailResponse](v, walletv1.LoginService_StartEmail_FullMethodName, &walletv1.StartEmailRequest{
		Email: email, Device: &walletv1.Device{Browser: "Firefox 141", System: "Linux"},
	})
}

// begin starts a login, approves the device if it is new, and returns the id of the challenge for the code.
func (v *visitor) begin(email string) string {
	v.w.t.Helper()
	started := must(v.start(email))(v.w.t)
	if started.GetAction() == walletv1.EmailAction_EMAIL_ACTION_VERIFY_DEVICE {
		v.decide(v.w.link(email), true)
	}
	return started.GetChallengeId()
}

// decide approves or denies a device, as the page of the link does.
func (v *visitor) decide(token string, approve bool) {
	v.w.t.Helper()
	must(callAs[walletv1.DecideDeviceResponse](v, caller.Caller{Project: project}, walletv1.LoginService_DecideDevice_FullMethodName,
		&walletv1.DecideDeviceRequest{Token: token, Approve: approve}))(v.w.t)
}

func (v *visitor) verify(id, code string) (*walletv1.VerifyCodeResponse, error) {
	return call[walletv1.VerifyCodeResponse](v, walletv1.LoginService_VerifyCode_FullMethodName, &walletv1.VerifyCodeRequest{ChallengeId: id, Code: code})
}

// logIn signs the visitor in.
func (v *visitor) logIn(email string) *walletv1.Tokens {
	v.w.t.Helper()
	id := v.begin(email)
	tokens := must(v.verify(id, v.w.code(email)))(v.w.t).GetTokens()
	v.Caller.Device.AccessToken = tokens.GetAccessToken()
	return tokens
}
