package bitcoin

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/btcsuite/btcd/chaincfg/chainhash"
	"github.com/btcsuite/btcd/wire"
	"google.golang.org/grpc/codes"

	bitcoinv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bitcoin/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/bitcoin/bitcointest"
	"github.com/hawser-dev/hawser/services/bitcoin/esplora"
	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

func startNode(t *testing.T) (*bitcointest.Node, *httptest.Server) {
	t.Helper()
	node, err := bitcointest.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(node.Handler())
	t.Cleanup(func() {
		web.Close()
		if err := node.Close(); err != nil {
			t.Error(err)
		}
	})
	return node, web
}

func serve(urls ...string) *server {
	return newServer(Config{Servers: map[string][]string{bitcointest.ChainID: urls, "eip155:1": {"http://127.0.0.1:1"}}}, Deps{Clock: clock.System{}})
}

func account(t *testing.T, n byte) bitcointest.Account {
	t.Helper()
	a, err := bitcointest.NewAccount(n)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func reasonOf(err error) faultv1.Reason {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f.Reason
	}
	return faultv1.Reason_REASON_UNSPECIFIED
}

func TestAnAccountReceivesAndSpends(t *testing.T) {
	node, web := startNode(t)
	s := serve(web.URL + "/")
	alice, bob := account(t, 1), account(t, 2)
	balance := func(a bitcointest.Account) string {
		t.Helper()
		res, err := s.GetBalance(t.Context(), &bitcoinv1.GetBalanceRequest{ChainId: bitcointest.ChainID, Address: strings.ToUpper(a.Address())})
		if err != nil {
			t.Fatal(err)
		}
		return res.GetConfirmed() + " " + res.GetPending()
	}
	if err := node.Fund(alice.Address(), 100_000); err != nil {
		t.Fatal(err)
	}
	if got := balance(alice); got != "100000 0" {
		t.Errorf("alice has %s", got)
	}

	unspent, err := s.ListUnspent(t.Context(), &bitcoinv1.ListUnspentRequest{ChainId: bitcointest.ChainID, Address: alice.Address()})
	if err != nil || len(unspent.GetOutputs()) != 1 || unspent.GetMore() {
		t.Fatalf("%v, %v", unspent, err)
	}
	coin := unspent.GetOutputs()[0]
	if coin.GetAmount() != "100000" || coin.GetHeight() == 0 {
		t.Errorf("the output is %v", coin)
	}
	send := func(satoshis int64) (*bitcoinv1.SendTransactionResponse, error) {
		raw, err := alice.Spend(coin.GetTransactionId(), coin.GetIndex(), 100_000, bob.Address(), satoshis)
		if err != nil {
			t.Fatal(err)
		}
		return s.SendTransaction(t.Context(), &bitcoinv1.SendTransactionRequest{ChainId: bitcointest.ChainID, Transaction: raw})
	}
	for behaviour, satoshis := range map[string]int64{"without a fee": 100_000, "of dust": 100, "of more than there is": 100_001} {
		if _, err := send(satoshis); reasonOf(err) != faultv1.Reason_REASON_TRANSACTION_REFUSED || strings.Contains(err.Error(), "RPC error") {
			t.Errorf("a transaction %s: %v", behaviour, err)
		}
	}
	sent, err := send(99_000)
	if err != nil {
		t.Fatal(err)
	}
	if alices, bobs := balance(alice), balance(bob); alices != "100000 -100000" || bobs != "0 99000" {
		t.Errorf("before the block: alice has %s, bob %s", alices, bobs)
	}
	if _, err := send(98_000); reasonOf(err) != faultv1.Reason_REASON_TRANSACTION_REFUSED {
		t.Errorf("a double spend: %v", err)
	}

	if err := node.Mine(1); err != nil {
		t.Fatal(err)
	}
	s.answers.Clear()
	if got := balance(bob); got != "99000 0" {
		t.Errorf("bob has %s", got)
	}
	list, err := s.ListTransactions(t.Context(), &bitcoinv1.ListTransactionsRequest{ChainId: bitcointest.ChainID, Address: alice.Address()})
	if err != nil || len(list.GetTransactions()) != 2 || list.GetNext() != "" {
		t.Fatalf("%v, %v", list, err)
	}
	newest := list.GetTransactions()[0]
	if newest.GetId() != sent.GetId() || newest.GetSpent() != "100000" || newest.GetReceived() != "0" || newest.GetFee() != "1000" || newest.GetHeight() == 0 ||
		newest.GetTime() == 0 || !slices.Equal(newest.GetCounterparties(), []string{bob.Address()}) {
		t.Errorf("the newest transaction is %v", newest)
	}
	got, err := s.GetTransaction(t.Context(), &bitcoinv1.GetTransactionRequest{ChainId: bitcointest.ChainID, Id: sent.GetId()})
	if err != nil || got.GetHeight() != newest.GetHeight() {
		t.Errorf("%v, %v", got, err)
	}
}

func TestTransactionsAreListedByThePage(t *testing.T) {
	node, web := startNode(t)
	s, alice := serve(web.URL), account(t, 1)
	const payments = 30
	for range payments {
		if err := node.Fund(alice.Address(), 1000); err != nil {
			t.Fatal(err)
		}
	}
	seen, cursor := map[string]bool{}, ""
	for page := range 3 {
		res, err := s.ListTransactions(t.Context(), &bitcoinv1.ListTransactionsRequest{ChainId: bitcointest.ChainID, Address: alice.Address(), Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		for _, tx := range res.GetTransactions() {
			seen[tx.GetId()] = true
		}
		if cursor = res.GetNext(); cursor == "" {
			if page != 1 {
				t.Errorf("the last page is %d", page)
			}
			break
		}
	}
	if len(seen) != payments {
		t.Errorf("%d transactions of %d", len(seen), payments)
	}
}

func TestTheTipIsReadBesideThePageAndOnceIfItFails(t *testing.T) {
	node, _ := startNode(t)
	alice := account(t, 1)
	if err := node.Fund(alice.Address(), 1000); err != nil {
		t.Fatal(err)
	}
	var tips atomic.Int32
	requested := make(chan struct{}, 1)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/blocks/tip/height":
			if tips.Add(1) == 1 {
				close(requested)
			}
			w.WriteHeader(http.StatusBadGateway)
			return
		case strings.HasSuffix(r.URL.Path, "/txs"):
			select {
			case <-requested:
			case <-r.Context().Done():
			}
		}
		node.Handler().ServeHTTP(w, r)
	}))
	defer web.Close()
	s := serve(web.URL)
	request := &bitcoinv1.ListTransactionsRequest{ChainId: bitcointest.ChainID, Address: alice.Address()}
	for range 2 {
		res, err := s.ListTransactions(t.Context(), request)
		if err != nil || len(res.GetTransactions()) != 1 || res.GetTipHeight() != 0 {
			t.Fatalf("%v, %v", res, err)
		}
	}
	if tips.Load() != 1 {
		t.Errorf("the tip was read %d times", tips.Load())
	}
}

func TestWhatIsNotOfTheNetworkIsRefused(t *testing.T) {
	_, web := startNode(t)
	s := serve(web.URL)
	for _, address := range []string{"", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"} {
		if _, err := s.GetBalance(t.Context(), &bitcoinv1.GetBalanceRequest{ChainId: bitcointest.ChainID, Address: address}); reasonOf(err) != faultv1.Reason_REASON_ADDRESS_INVALID {
			t.Errorf("%q: %v", address, err)
		}
	}
	for _, chain := range []string{"eip155:1", "bip122:000000000019d6689c085ae165831e93"} {
		if _, err := s.GetFeeRates(t.Context(), &bitcoinv1.GetFeeRatesRequest{ChainId: chain}); reasonOf(err) != faultv1.Reason_REASON_CHAIN_UNSUPPORTED {
			t.Errorf("%s: %v", chain, err)
		}
	}
	if _, err := s.GetTransaction(t.Context(), &bitcoinv1.GetTransactionRequest{ChainId: bitcointest.ChainID, Id: strings.Repeat("0", 64)}); reasonOf(err) != faultv1.Reason_REASON_TRANSACTION_UNKNOWN {
		t.Errorf("an unknown transaction: %v", err)
	}
	if _, err := s.SendTransaction(t.Context(), &bitcoinv1.SendTransactionRequest{ChainId: bitcointest.ChainID, Transaction: "00"}); reasonOf(err) != faultv1.Reason_REASON_PARAMETER_INVALID {
		t.Errorf("no transaction: %v", err)
	}
}

func TestTheNextServerAnswersIfOneFails(t *testing.T) {
	_, web := startNode(t)
	var calls atomic.Int32
	failing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		w.WriteHeader(http.StatusBadGateway)
	}))
	defer failing.Close()
	mainnet := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/block-height/0" {
			t.Errorf("a server of another network received %s", r.URL.Path)
		}
		_, _ = w.Write([]byte("000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"))
	}))
	defer mainnet.Close()
	s := serve(failing.URL, mainnet.URL, web.URL)
	for range 3 {
		res, err := s.GetFeeRates(t.Context(), &bitcoinv1.GetFeeRatesRequest{ChainId: bitcointest.ChainID})
		if err != nil || res.GetFast() != 10_001 || res.GetNormal() != 5_000 || res.GetSlow() != 2_000 {
			t.Fatalf("%v, %v", res, err)
		}
		s.answers.Clear()
	}
	if calls.Load() != 1 {
		t.Errorf("the server that failed was used %d times", calls.Load())
	}
	if _, err := serve(failing.URL).GetFeeRates(t.Context(), &bitcoinv1.GetFeeRatesRequest{ChainId: bitcointest.ChainID}); reasonOf(err) != faultv1.Reason_REASON_CHAIN_UNAVAILABLE {
		t.Errorf("without a server that answers: %v", err)
	}
}

func TestATransactionIsNotSentAgainOnceAServerMayHaveIt(t *testing.T) {
	var sent atomic.Int32
	genesis := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/tx" {
			sent.Add(1)
			panic(http.ErrAbortHandler)
		}
		_, _ = w.Write([]byte("0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206"))
	}))
	defer genesis.Close()
	s := serve("http://127.0.0.1:1", genesis.URL, genesis.URL+"/")
	raw, err := account(t, 1).Spend(strings.Repeat("1", 64), 0, 1000, account(t, 2).Address(), 600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.SendTransaction(t.Context(), &bitcoinv1.SendTransactionRequest{ChainId: bitcointest.ChainID, Transaction: raw}); reasonOf(err) != faultv1.Reason_REASON_CHAIN_UNAVAILABLE {
		t.Error(err)
	}
	if sent.Load() != 1 {
		t.Errorf("the transaction was sent %d times", sent.Load())
	}
}

func TestCallersShareAnAnswer(t *testing.T) {
	node, _ := startNode(t)
	var reads atomic.Int32
	counting := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/address/") {
			reads.Add(1)
		}
		node.Handler().ServeHTTP(w, r)
	}))
	defer counting.Close()
	s := serve(counting.URL)
	for range 5 {
		if _, err := s.GetBalance(t.Context(), &bitcoinv1.GetBalanceRequest{ChainId: bitcointest.ChainID, Address: account(t, 1).Address()}); err != nil {
			t.Fatal(err)
		}
	}
	if reads.Load() != 1 {
		t.Errorf("%d requests for one answer", reads.Load())
	}
}

func TestASentTransactionDropsOnlyTheAnswersAboutItsAddresses(t *testing.T) {
	s := serve("http://127.0.0.1:1")
	s.answers = cache.New(cache.Options[string, any]{MaxWeight: answerBytes, Weigh: weigh})
	n := s.networks[bitcointest.ChainID]
	alice, bob, carol, dave := account(t, 1), account(t, 2), account(t, 3), account(t, 4)
	raw, err := alice.Spend(strings.Repeat("ab", 32), 0, 100_000, bob.Address(), 99_000)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := parseTransaction(raw)
	if err != nil {
		t.Fatal(err)
	}
	// With Taproot, only what was listed tells whose an output is.
	listed := esplora.UnspentOutput{TransactionID: strings.Repeat("cd", 32), Index: 1}
	s.remember(n, dave.Address(), []esplora.UnspentOutput{listed})
	hash, err := chainhash.NewHashFromStr(listed.TransactionID)
	if err != nil {
		t.Fatal(err)
	}
	tx.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Hash: *hash, Index: 1}, Witness: wire.TxWitness{make([]byte, 64)}})
	for address, kept := range map[string]bool{alice.Address(): false, bob.Address(): false, dave.Address(): false, carol.Address(): true} {
		keys := []string{n.id + "/balance/" + address, n.id + "/unspent/" + address, n.id + "/transactions/" + address + "/"}
		for _, key := range keys {
			s.answers.Set(key, esplora.Balance{})
		}
		s.drop(n, tx)
		for _, key := range keys {
			if _, ok := s.answers.Get(key); ok != kept {
				t.Errorf("%s is kept: %t", key, ok)
			}
		}
	}
}

func TestAnswersWeighTheirBytes(t *testing.T) {
	for _, answer := range []any{transaction{raw: strings.Repeat("00", 4<<20)}, make([]esplora.UnspentOutput, 40_000), []esplora.Transaction{{Outputs: make([]esplora.Output, 40_000)}}} {
		if n := weigh("key", answer); n < 4<<20 {
			t.Errorf("%T weighs %d", answer, n)
		}
	}
}

func TestFeeRatesAreBounded(t *testing.T) {
	for behaviour, tt := range map[string]struct {
		estimates map[int]uint64
		want      FeeRates
	}{
		"no estimates":               {nil, FeeRates{1000, 1000, 1000}},
		"a server that asks for all": {map[int]uint64{1: 1 << 60}, FeeRates{maxFeeRate, maxFeeRate, maxFeeRate}},
		"rates out of order":         {map[int]uint64{2: 2000, 6: 3000, 144: 5000}, FeeRates{5000, 5000, 5000}},
		"only far targets":           {map[int]uint64{504: 9000}, FeeRates{1000, 1000, 1000}},
	} {
		if got := feeRatesOf(tt.estimates); got != tt.want {
			t.Errorf("%s: %+v, want %+v", behaviour, got, tt.want)
		}
	}
}

func TestADeadlineIsTheCallersOnlyIfItsContextEnded(t *testing.T) {
	late := fmt.Errorf("%w: %w", esplora.ErrUnavailable, context.DeadlineExceeded)
	if err := failed(t.Context(), network{}, late); reasonOf(err) != faultv1.Reason_REASON_CHAIN_UNAVAILABLE {
		t.Errorf("that of a server: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := failed(ended, network{}, late); !errors.Is(err, context.Canceled) {
		t.Errorf("that of the caller: %v", err)
	}
}

func TestARefusedReadIsTheCallersFault(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/block-height/0" {
			_, _ = w.Write([]byte("0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206"))
			return
		}
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte("Too many unspent transaction outputs"))
	}))
	defer web.Close()
	_, err := serve(web.URL).ListUnspent(t.Context(), &bitcoinv1.ListUnspentRequest{ChainId: bitcointest.ChainID, Address: account(t, 1).Address()})
	if f, ok := errors.AsType[*fault.Error](err); !ok || f.Code != codes.FailedPrecondition || !strings.Contains(f.Public, "Too many unspent") {
		t.Errorf("got %v", err)
	}
}

func TestTheStartAsksEachServerThatTheOperatorNamedForItsNetwork(t *testing.T) {
	_, right := startNode(t)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(strings.Repeat("0", 64)))
	}))
	defer other.Close()
	unasked := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a public server was asked") }))
	defer unasked.Close()
	const mainnet = "bip122:000000000019d6689c085ae165831e93"
	cfg := Config{
		Servers: map[string][]string{bitcointest.ChainID: {right.URL, other.URL + "/secret", "http://127.0.0.1:1/secret"}, mainnet: {unasked.URL}},
		Chosen:  []string{bitcointest.ChainID},
	}
	read, write := io.Pipe()
	s, err := New(t.Context(), cfg, Deps{Clock: clock.System{}, Log: slog.New(slog.NewTextHandler(write, nil))})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Work(ctx) }()
	lines := bufio.NewScanner(read)
	var log string
	for range 2 {
		if !lines.Scan() {
			t.Fatal(lines.Err())
		}
		log += lines.Text() + "\n"
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for _, want := range []string{
		`level=ERROR msg="node is on another chain and is not used" chain=` + bitcointest.ChainID + ` node=2 host=` + strings.TrimPrefix(other.URL, "http://") + "\n",
		`level=WARN msg="node does not tell its chain" chain=` + bitcointest.ChainID + ` node=3 host=127.0.0.1:1 error=`,
	} {
		if !strings.Contains(log, want) || strings.Contains(log, "secret") {
			t.Errorf("no %s in\n%s", want, log)
		}
	}
	described := s.Chains(t.Context(), false)
	for _, c := range described {
		if c.GetChainId() == bitcointest.ChainID && c.GetNodes()[1].GetState() != statusv1.NodeState_NODE_STATE_WRONG_CHAIN {
			t.Errorf("the status says %s of the server of another network", c.GetNodes()[1].GetState())
		}
	}
}
