package svm

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
)

var owner = MustAddress("7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV")

// nodeWith returns a node on which the owner has n accounts of the first token program, each of a different mint. It
// counts the calls by method.
func nodeWith(n int, calls map[string]int) chainclient.Transport {
	var list bytes.Buffer
	for i := range n {
		data := make([]byte, tokenAccountHead)
		binary.LittleEndian.PutUint32(data, uint32(i)+1)
		copy(data[32:], owner[:])
		binary.LittleEndian.PutUint64(data[64:], uint64(i))
		if i > 0 {
			list.WriteByte(',')
		}
		_, _ = fmt.Fprintf(&list, `{"account":{"data":[%q,"base64"],"executable":false,"lamports":2039280,"owner":%q,"rentEpoch":18446744073709551615,"space":165},"pubkey":%q}`,
			base64.StdEncoding.EncodeToString(data), TokenProgram, owner)
	}
	return func(_ context.Context, body []byte) ([]byte, error) {
		var requests []struct{ Method string }
		if err := json.Unmarshal(body, &requests); err != nil {
			return nil, err
		}
		var answer bytes.Buffer
		for i, r := range requests {
			calls[r.Method]++
			value := "7"
			if r.Method != "getBalance" {
				value = "[]"
			}
			if i == 1 {
				value = "[" + list.String() + "]"
			}
			_, _ = fmt.Fprintf(&answer, `,{"jsonrpc":"2.0","id":%d,"result":{"context":{"slot":%d},"value":%s}}`, i, 100-i, value)
		}
		return append(append([]byte{'['}, answer.Bytes()[1:]...), ']'), nil
	}
}

func TestTenThousandTokenAccountsCostOneRequestAProgram(t *testing.T) {
	calls := map[string]int{}
	o, err := ReadOwned(t.Context(), nodeWith(10_000, calls), owner)
	if err != nil || o.Lamports != 7 || o.Slot != 98 || len(o.Units) != 9_999 || o.More {
		t.Errorf("got %d lamports at slot %d, %d tokens, more %v, %v", o.Lamports, o.Slot, len(o.Units), o.More, err)
	}
	if calls["getBalance"] != 1 || calls["getTokenAccountsByOwner"] != 2 || len(calls) != 2 {
		t.Errorf("sent %v", calls)
	}
}

func TestAnOwnerOfTooManyTokenAccountsHasAKnownBalance(t *testing.T) {
	node := nodeWith(2, map[string]int{})
	tooLarge := func(program Address) chainclient.Transport {
		return func(ctx context.Context, body []byte) ([]byte, error) {
			if !bytes.Contains(body, []byte(program.String())) {
				return node(ctx, body)
			}
			var requests []struct{ ID int }
			if err := json.Unmarshal(body, &requests); err != nil {
				return nil, err
			}
			var answer []string
			for _, r := range requests {
				answer = append(answer, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32005,"message":"the answer is too large"}}`, r.ID))
			}
			return []byte("[" + strings.Join(answer, ",") + "]"), nil
		}
	}
	if o, err := ReadOwned(t.Context(), tooLarge(TokenProgram), owner); err != nil || !o.More || o.Lamports != 7 || len(o.Units) != 0 {
		t.Errorf("got %+v, %v", o, err)
	}
}

func TestAResponseWithoutAValueIsNoEmptyAccount(t *testing.T) {
	for behaviour, values := range map[string][3]string{
		"a balance of null":       {"null", "[]", "[]"},
		"token accounts of null":  {"7", "null", "[]"},
		"token accounts as texts": {"7", `"[]"`, "[]"},
		"no token accounts":       {"7", "", "[]"},
	} {
		node := func(context.Context, []byte) ([]byte, error) {
			var parts []string
			for i, value := range values {
				member := ""
				if value != "" {
					member = `,"value":` + value
				}
				parts = append(parts, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"context":{"slot":1}%s}}`, i, member))
			}
			return []byte("[" + strings.Join(parts, ",") + "]"), nil
		}
		if o, err := ReadOwned(t.Context(), node, owner); !errors.Is(err, chainclient.ErrAnswer) {
			t.Errorf("%s: %+v, %v", behaviour, o, err)
		}
	}
}

func TestATokenWithoutAMintOrMetadataIsSoonReadAgain(t *testing.T) {
	for fact, want := range map[*Fact]time.Duration{nil: absenceLifetime, {Decimals: 6}: absenceLifetime, {Symbol: "USDC"}: factsLifetime} {
		if got := lifetimeOf(fact); got != want {
			t.Errorf("%+v: %s, want %s", fact, got, want)
		}
	}
}

func TestAnAccountOfAnotherOwnerIsRefused(t *testing.T) {
	if o, err := ReadOwned(t.Context(), nodeWith(1, map[string]int{}), usdc); err == nil {
		t.Errorf("got %+v", o)
	}
}

// BenchmarkTenThousandTokenAccounts measures the decoding of an owner of 10,000 token accounts.
func BenchmarkTenThousandTokenAccounts(b *testing.B) {
	send := nodeWith(10_000, map[string]int{})
	var body int
	counted := func(ctx context.Context, request []byte) ([]byte, error) {
		answer, err := send(ctx, request)
		body = len(answer)
		return answer, err
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadOwned(b.Context(), counted, owner); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(body), "bytes/answer")
}
