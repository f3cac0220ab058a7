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
	"github.com/hawser-dev/hawser/services/evm"
)

// Key is the key that the servers want, where the vendor wants one, and take as a client id or a customer's key elsewhere.
const Key = "hunter2"

// Call is what a server was asked.
type Call struct {
	// Building: a transaction was asked for, rather than a quote.
	Building    bool
	ChainNumber string
	From, To    evm.Address
	Amount      *big.Int
	// Sender is zero where the call names nobody.
	Sender evm.Address
	// Deadline is in Unix seconds; empty where the call says none.
	Deadline string
	// Slippage is as the vendor spells it; empty where the call says none.
	Slippage string
	GasPrice string
}

// Terms are what a server answers.
type Terms struct {
	// From, To and Amount are repeated from the call, by the vendors that do.
	From, To evm.Address
	Amount   string
	// Out and MinOut are decimal digits.
	Out, MinOut string
	Gas         uint64
	// Contract is called, Spender is given the allowance; one is the other where the vendor names but one.
	Contract, Spender evm.Address
	// Value is what the transaction pays, in wei.
	Value *big.Int
	// Call is what the call data say; Data are call data, 0x and hex digits, in place of those.
	Call CallTerms
	Data string
}

// CallTerms are what a transaction's call data say.
type CallTerms struct {
	From, To, Receiver evm.Address
	Amount, MinOut     *big.Int
	// Operator may take the amount, and Target is called with it: by 0x alone, where both are the same Settler.
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
	issued []any
	bend   func(*Terms)
	answer http.HandlerFunc
}

// Serve starts the server of a vendor, by the name that an operator writes. It ends with the test.
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

// Config is what an operator writes to ask this server.
func (s *Server) Config() vendors.Config { return vendors.Config{Key: Key, URL: s.http.URL} }

// Contract is the vendor's own on Ethereum.
func (s *Server) Contract() evm.Address { return s.dialect.contract }

// Calls are what was asked, refused calls aside.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

// Bend has bend change every answer before it is given; nil gives honest ones again.
func (s *Server) Bend(bend func(*Terms)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bend = bend
}

// Fail has every call fail in one of the documented ways: no-liquidity, token, chain, refused, key, limit, broken.
func (s *Server) Fail(way string) {
	s.t.Helper()
	failure, ok := failures(s.t, s.Vendor)[way]
	if !ok {
		s.t.Fatalf("%s does not fail with %q", s.Vendor, way)
	}
	s.Answer(func(w http.ResponseWriter, _ *http.Request) { write(w, failure.Status, failure.Body) })
}

// Answer has every call that is well-formed answered so; nil gives the vendor's own answers again.
func (s *Server) Answer(h http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = h
}

// ServeHTTP answers as the vendor does. A call in another form than documented fails the test.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	call, err := s.hear(r)
	if err != nil {
		s.t.Errorf("%s was asked %s %s: %v", s.Vendor, r.Method, r.URL, err)
		http.Error(w, "{}", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	answer, bend := s.answer, s.bend
	s.mu.Unlock()
	if answer != nil {
		answer(w, r)
		return
	}
	terms := s.honest(call)
	if bend != nil {
		bend(&terms)
	}
	if terms.Data == "" {
		terms.Data = hexutil.Encode(s.dialect.encode(terms.Call))
	}
	write(w, http.StatusOK, s.spell(call, terms))
}

func (s *Server) hear(r *http.Request) (Call, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.dialect.greet(r.Header); err != nil {
		return Call{}, err
	}
	call, err := s.dialect.read(r, s.issued)
	if err == nil {
		s.calls = append(s.calls, call)
	}
	return call, err
}

func (s *Server) honest(c Call) Terms {
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

// spell puts the terms into the fixture, and remembers what must come back unchanged.
func (s *Server) spell(c Call, t Terms) any {
	name := "quote"
	if c.Building {
		name = "build"
	}
	doc := load(s.t, s.Vendor, name)
	s.dialect.write(doc, c, t)
	if s.dialect.keep != "" && !c.Building {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.issued = append(s.issued, doc.at(s.dialect.keep))
	}
	return doc.root
}

func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
