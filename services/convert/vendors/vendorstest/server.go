package vendorstest

import (
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Key is the key that the servers of vendors with keys require, and that the other servers accept as a client id or a
// customer's key.
const Key = "hunter2"

// Call is a request to a server.
type Call struct {
	// Building says that a transaction was requested, not a quote.
	Building    bool
	ChainNumber string
	From, To    evm.Address
	Amount      *big.Int
	// Sender is zero if the request has none.
	Sender evm.Address
	// Slippage is in the vendor's unit; empty if the request has none.
	Slippage string
	GasPrice string
}

// Terms are the terms of a response.
type Terms struct {
	// From, To and Amount are repeated from the call, by the vendors that do.
	From, To evm.Address
	Amount   string
	// Out and MinOut are decimal digits.
	Out, MinOut string
	Gas         uint64
	// Contract is called, Spender needs the allowance; both are the same if the vendor's response names one.
	Contract, Spender evm.Address
	// Value is sent with the transaction, in wei.
	Value *big.Int
	// Call holds the terms in the call data; Data replaces the call data, as 0x and hex digits.
	Call CallTerms
	Data string
}

// CallTerms are the terms in a transaction's call data.
type CallTerms struct {
	From, To, Receiver evm.Address
	Amount, MinOut     *big.Int
	// Operator may take the amount, and Target is called with it. Only 0x has them; both are the same Settler there.
	Operator, Target evm.Address
}

// Server is one vendor. It pays 997 units for 1000.
type Server struct {
	Vendor string

	t       testing.TB
	http    *httptest.Server
	dialect dialect

	mu     sync.Mutex
	calls  []Call
	modify func(*Terms)
	answer http.HandlerFunc
}

// Serve starts the server of a vendor, by its name in the configuration. It ends with the test.
func Serve(t testing.TB, vendor string) *Server {
	t.Helper()
	d, ok := dialects[vendor]
	if !ok {
		t.Fatalf("there is no vendor %q", vendor)
	}
	s := &Server{Vendor: vendor, t: t, dialect: d}
	s.http = httptest.NewServer(s)
	t.Cleanup(s.http.Close)
	return s
}

// Config returns the configuration of a source that uses this server.
func (s *Server) Config() vendors.Config { return vendors.Config{Key: Key, URL: s.http.URL} }

// Contract returns the vendor's contract on Ethereum.
func (s *Server) Contract() evm.Address { return s.dialect.contract }

// Calls returns the accepted requests.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

// Modify makes modify modify every response; nil ends that.
func (s *Server) Modify(modify func(*Terms)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.modify = modify
}

// Fail makes every request fail in one of the documented ways: no-liquidity, token, chain, refused, key, limit, broken.
func (s *Server) Fail(way string) {
	s.t.Helper()
	failure, ok := failures(s.t, s.Vendor)[way]
	if !ok {
		s.t.Fatalf("%s does not fail with %q", s.Vendor, way)
	}
	s.Answer(func(w http.ResponseWriter, _ *http.Request) { write(w, failure.Status, failure.Body) })
}

// Answer replaces the response to every well-formed request; nil restores the vendor's.
func (s *Server) Answer(h http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = h
}

// ServeHTTP responds as the vendor does. A request in a form that is not documented fails the test.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	call, err := s.receive(r)
	if err != nil {
		s.t.Errorf("%s was asked %s %s: %v", s.Vendor, r.Method, r.URL, err)
		http.Error(w, "{}", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	answer, modify := s.answer, s.modify
	s.mu.Unlock()
	if answer != nil {
		answer(w, r)
		return
	}
	terms := s.termsFor(call)
	if modify != nil {
		modify(&terms)
	}
	if terms.Data == "" {
		terms.Data = hexutil.Encode(s.dialect.encode(terms.Call))
	}
	write(w, http.StatusOK, s.fill(call, terms))
}

func (s *Server) receive(r *http.Request) (Call, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.dialect.checkHeaders(r.Header); err != nil {
		return Call{}, err
	}
	call, err := s.dialect.read(r)
	if err == nil {
		s.calls = append(s.calls, call)
	}
	return call, err
}

func (s *Server) termsFor(c Call) Terms {
	t := Terms{
		From: c.From, To: c.To, Amount: c.Amount.String(), Gas: 189_669, Contract: s.dialect.contract, Spender: s.dialect.contract,
		Value: new(big.Int),
	}
	if c.From == evm.Native {
		t.Value = c.Amount
	}
	out := new(big.Int).Mul(c.Amount, big.NewInt(997))
	if out.Quo(out, big.NewInt(1000)); out.Sign() == 0 {
		out.SetInt64(1)
	}
	t.Out = out.String()
	least := s.dialect.least(out, c.Slippage)
	t.MinOut = least.String()
	t.Call = CallTerms{From: c.From, To: c.To, Receiver: c.Sender, Amount: c.Amount, MinOut: least, Operator: executor, Target: executor}
	return t
}

// fill returns the fixture with the terms.
func (s *Server) fill(c Call, t Terms) any {
	name := "quote"
	if c.Building {
		name = "build"
	}
	doc := load(s.t, s.Vendor, name)
	s.dialect.write(doc, c, t)
	return doc.root
}

func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
