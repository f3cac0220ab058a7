// Package e2e starts the real binary, in one process and in several, against real local chains, and runs every case in every
// protocol it speaks.
package e2e

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"net/http"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/access/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/analytics/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/auth/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/bitcoin/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/directory/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/features/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/webhooks/v1"
	"github.com/hawser-dev/hawser/services/balances/exchangetest"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// dialects are the RPC protocols of one port.
var dialects = map[string][]connect.ClientOption{
	"connect":      nil,
	"connect-json": {connect.WithProtoJSON()},
	"grpc-web":     {connect.WithGRPCWeb()},
	"grpc":         {connect.WithGRPC()},
}

func TestEveryCaseInEveryProtocol(t *testing.T) {
	names := caseNames(t)
	eachShape(t, func(t *testing.T, s *suite) {
		names["gateway"] = s.url
		for _, account := range []string{"account.9", "approver"} {
			s.waitForHistory(t, names[account])
		}
		for _, c := range readCases(t, names) {
			t.Run(c.file+"/"+c.name, func(t *testing.T) {
				t.Run("rest", func(t *testing.T) { s.askREST(t, c) })
				if c.rpc == "" {
					return
				}
				for dialect, options := range dialects {
					t.Run(dialect, func(t *testing.T) { s.askRPC(t, c, options) })
				}
			})
		}
	})
}

// caseNames are what case files may spell as ${name}.
func caseNames(t *testing.T) map[string]string {
	devnet := devnettest.Start(t)
	names := map[string]string{
		"project": project,
		// Signed texts are valid for an hour here.
		"now":             strconv.FormatInt(time.Now().Unix(), 10),
		"signature.other": signaturetest.NewAccount(1).Sign("another text"),
	}
	for i, c := range devnet.Chains {
		prefix := ""
		if i > 0 {
			prefix = "two."
		}
		names[prefix+"chain"] = c.CAIP2
		for _, token := range c.Tokens {
			names[prefix+"token."+token.Symbol] = token.Address
		}
		for name, address := range c.Contracts {
			names[prefix+"contract."+name] = address
		}
	}
	names["approver"], names["spender"] = approve(t, devnet.Chains[0])
	solana := devnettest.StartSolana(t)
	names["solana"] = solana.CAIP2
	for _, token := range solana.Tokens {
		names["solana.token."+token.Symbol] = token.Address
	}
	for i, a := range solana.Accounts {
		names["solana.account."+strconv.Itoa(i)] = a.Address
	}
	names["solana.airdrop"] = solanaAirdrop(t, solana)
	bitcoin, err := localBitcoin()
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(names, bitcoin.names)
	for i, a := range devnet.Accounts {
		names["account."+strconv.Itoa(i)] = a.Address
	}
	return names
}

// approve gives an account of a chain 3 tUSD, lets it approve another one for 5, and returns both.
func approve(t *testing.T, chain devnettest.Chain) (approver, spender string) {
	t.Helper()
	approver, spender = evm.Address{0xa9, 19: 1}.String(), evm.Address{0xa9, 19: 2}.String()
	usd := chain.Token(t, "tUSD").Address
	exchangetest.Give(t, chain, usd, approver, exchangetest.Units(3, 6))
	chain.Call(t, "anvil_impersonateAccount", approver)
	chain.Call(t, "anvil_setBalance", approver, "0xde0b6b3a7640000")
	call := calldata.Parse("approve(address,uint256)").Write(evm.MustAddress(spender), exchangetest.Units(5, 6))
	chain.Send(t, map[string]string{"from": approver, "to": usd, "data": hexutil.Encode(call)})
	return approver, spender
}

// solanaAirdrop returns the signature of the only transaction of account 9 of the Solana chain, which brings it 1.5 SOL.
func solanaAirdrop(t *testing.T, chain *devnettest.Solana) (signature string) {
	t.Helper()
	owner := chain.Accounts[9].Address
	var sent []struct{ Signature string }
	if err := json.Unmarshal(chain.Call(t, "getSignaturesForAddress", owner, map[string]string{"commitment": "confirmed"}), &sent); err != nil {
		t.Fatal(err)
	}
	if len(sent) > 0 {
		return sent[0].Signature
	}
	if err := json.Unmarshal(chain.Call(t, "requestAirdrop", owner, 1_500_000_000), &signature); err != nil {
		t.Fatal(err)
	}
	return signature
}

func (s *suite) askREST(t *testing.T, c askCase) {
	method, path, _ := strings.Cut(c.rest, " ")
	req, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(c.body))
	if err != nil {
		t.Fatal(err)
	}
	if c.origin != "" {
		req.Header.Set("Origin", c.origin)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if strconv.Itoa(res.StatusCode) != c.status {
		t.Errorf("status %d, want %s: %s", res.StatusCode, c.status, body)
	}
	if res.Header.Get("X-Request-Id") == "" {
		t.Error("the answer carries no request id")
	}
	if res.StatusCode == http.StatusNoContent {
		if len(body) > 0 {
			t.Errorf("answered %s", body)
		}
		return
	}
	if got := res.Header.Get("Content-Type"); got != "application/json" {
		t.Errorf("content type %q", got)
	}
	if c.wantError == "" {
		equalJSON(t, body, []byte(cmp.Or(c.restWant, c.want)))
		return
	}
	var refusal struct {
		Status    string
		Reasons   []json.RawMessage
		Code      string
		RequestID string
	}
	if err := json.Unmarshal(body, &refusal); err != nil || refusal.Status != "FAILED" || len(refusal.Reasons) != 1 {
		t.Fatalf("not an error body: %s", body)
	}
	equalJSON(t, refusal.Reasons[0], []byte(c.wantError))
	if refusal.Code != c.reason {
		t.Errorf("code %q, want %q", refusal.Code, c.reason)
	}
	if refusal.RequestID != res.Header.Get("X-Request-Id") {
		t.Errorf("request id %q in the body, %q in the header", refusal.RequestID, res.Header.Get("X-Request-Id"))
	}
}

func (s *suite) askRPC(t *testing.T, c askCase, options []connect.ClientOption) {
	method := methodOf(t, c.rpc)
	ask := dynamicpb.NewMessage(method.Input())
	if err := protojson.Unmarshal([]byte(c.ask), ask); err != nil {
		t.Fatal(err)
	}
	options = append(options, connect.WithSchema(method), connect.WithResponseInitializer(func(_ connect.Spec, m any) error {
		*m.(*dynamicpb.Message) = *dynamicpb.NewMessage(method.Output())
		return nil
	}))
	client := connect.NewClient[dynamicpb.Message, dynamicpb.Message](http2Client, s.url+"/"+c.rpc, options...)
	req := connect.NewRequest(ask)
	if c.project != "" {
		req.Header().Set("Hawser-Project-Id", c.project)
	}
	if c.origin != "" {
		req.Header().Set("Origin", c.origin)
	}
	res, err := client.CallUnary(t.Context(), req)
	if c.wantError != "" {
		equalRefusal(t, err, c)
		return
	}
	if err != nil || c.code != "ok" {
		t.Fatalf("got %v, want code %s", err, c.code)
	}
	got, err := protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(res.Msg)
	if err != nil {
		t.Fatal(err)
	}
	equalJSON(t, got, []byte(c.want))
}

// equalRefusal compares an RPC error with the REST error of the same failure.
func equalRefusal(t *testing.T, err error, c askCase) {
	t.Helper()
	var refusal *connect.Error
	if !errors.As(err, &refusal) {
		t.Fatalf("got %v, want code %s", err, c.code)
	}
	if refusal.Code().String() != c.code {
		t.Errorf("code %s, want %s: %v", refusal.Code(), c.code, err)
	}
	var want struct{ Field, Description string }
	if err := json.Unmarshal([]byte(c.wantError), &want); err != nil {
		t.Fatal(err)
	}
	if refusal.Message() != want.Description {
		t.Errorf("text %q, want %q", refusal.Message(), want.Description)
	}
	var reason, field string
	for _, d := range refusal.Details() {
		value, err := d.Value()
		if err != nil {
			t.Fatal(err)
		}
		switch value := value.(type) {
		case *errdetails.ErrorInfo:
			reason = value.GetReason()
		case *errdetails.BadRequest:
			field = value.GetFieldViolations()[0].GetField()
		}
	}
	if reason != c.reason || field != want.Field {
		t.Errorf("reason %q field %q, want %q and %q", reason, field, c.reason, want.Field)
	}
}

func methodOf(t *testing.T, rpc string) protoreflect.MethodDescriptor {
	t.Helper()
	service, method, _ := strings.Cut(rpc, "/")
	d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service))
	if err != nil {
		t.Fatal(err)
	}
	found := d.(protoreflect.ServiceDescriptor).Methods().ByName(protoreflect.Name(method))
	if found == nil {
		t.Fatalf("no such method: %s", rpc)
	}
	return found
}

// http2Client speaks HTTP/2 without TLS, which gRPC needs.
var http2Client = &http.Client{Transport: &http.Transport{Protocols: unencryptedHTTP2()}}

func unencryptedHTTP2() *http.Protocols {
	p := new(http.Protocols)
	p.SetUnencryptedHTTP2(true)
	return p
}

// shapes are what a case wants in place of a value that it cannot predict.
var shapes = map[string]func(any) bool{
	"~seconds": func(got any) bool {
		n, ok := got.(float64)
		return ok && n >= 0 && n == math.Trunc(n)
	},
	"~number": func(got any) bool {
		_, ok := got.(float64)
		return ok
	},
	"~list": func(got any) bool {
		list, ok := got.([]any)
		return ok && len(list) > 0
	},
	"~addresses": func(got any) bool {
		list, ok := got.(map[string]any)
		return ok && len(list) > 0
	},
	"~ulid":     func(got any) bool { return matches(got, `^[0-7][0-9A-HJKMNP-TV-Z]{25}$`) },
	"~checkout": func(got any) bool { return matches(got, `^http://[^/]+/sandbox/checkout/[A-Z0-9]{20,}$`) },
	"~token":    func(got any) bool { return matches(got, `^[A-Za-z0-9_-]{22}$`) },
	"~when":     func(got any) bool { return matches(got, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`) },
	"~time":     func(got any) bool { return matches(got, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`) },
	"~digits":   func(got any) bool { return matches(got, `^[0-9]+$`) },
	"~hex":      func(got any) bool { return matches(got, `^0x([0-9a-f]{2})+$`) },
	"~address":  func(got any) bool { return matches(got, `^0x[0-9a-fA-F]{40}$`) },
	"~base58":   func(got any) bool { return matches(got, `^[1-9A-HJ-NP-Za-km-z]{32,88}$`) },
}

func matches(got any, pattern string) bool {
	text, ok := got.(string)
	return ok && regexp.MustCompile(pattern).MatchString(text)
}

// settle puts a shape's name into got wherever want has it and got has that shape.
func settle(got, want any) any {
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			for key, value := range g {
				g[key] = settle(value, w[key])
			}
		}
	case []any:
		if g, ok := got.([]any); ok && len(g) == len(w) {
			for i := range g {
				g[i] = settle(g[i], w[i])
			}
		}
	case string:
		if fits, ok := shapes[w]; ok && fits(got) {
			return w
		}
	}
	return got
}

func equalJSON(t *testing.T, got, want []byte) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatalf("%v: %s", err, want)
	}
	g, w = withoutNulls(g), withoutNulls(w)
	if !reflect.DeepEqual(settle(g, w), w) {
		t.Errorf("got  %s\nwant %s", bytes.TrimSpace(got), want)
	}
}

// withoutNulls drops what is null: some fields are null over REST where RPC leaves them out.
func withoutNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		kept := map[string]any{}
		for key, value := range v {
			if value != nil {
				kept[key] = withoutNulls(value)
			}
		}
		return kept
	case []any:
		kept := make([]any, len(v))
		for i, value := range v {
			kept[i] = withoutNulls(value)
		}
		return kept
	default:
		return v
	}
}
