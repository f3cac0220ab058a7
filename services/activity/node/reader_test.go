package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

var account = evm.MustAddress("0x00000000000000000000000000000000000a11ce")

// script is a node with one response for each method. For methods that take a block, the key includes the parameter.
type script map[string]string

func (s script) transport(_ context.Context, body []byte) ([]byte, error) {
	var requested []struct {
		ID     int
		Method string
		Params []any
	}
	if err := json.Unmarshal(body, &requested); err != nil {
		return nil, err
	}
	answers := make([]string, len(requested))
	for i, a := range requested {
		result, ok := s[fmt.Sprintf("%s %v", a.Method, a.Params[0])]
		if !ok {
			result = s[a.Method]
		}
		// Responses may come in any order.
		answers[len(requested)-1-i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, a.ID, result)
	}
	return []byte("[" + strings.Join(answers, ",") + "]"), nil
}

func (s script) reader() *Reader {
	return NewReader(func(string) chainclient.Transport { return s.transport }, nil, nil)
}

// with returns the script with another response.
func (s script) with(key, result string) script {
	changed := script{key: result}
	for k, v := range s {
		if _, ours := changed[k]; !ours {
			changed[k] = v
		}
	}
	return changed
}

func hashText(n int) string { return fmt.Sprintf("0x%064x", n) }

func blockOf(number, hash, parent int, transactions string) string {
	return fmt.Sprintf(`"result":{"number":"0x%x","hash":"%s","parentHash":"%s","timestamp":"0x5","transactions":[%s]}`,
		number, hashText(hash), hashText(parent), transactions)
}

const (
	sent    = `{"hash":"0x00000000000000000000000000000000000000000000000000000000000000aa","transactionIndex":"0x0","from":"0x00000000000000000000000000000000000a11ce","to":null,"nonce":"0x1","value":"0x2","input":"0x","blockHash":"0x0000000000000000000000000000000000000000000000000000000000000007","blockNumber":"0x7"}`
	strange = `{"hash":"0xnot"}`
)

func receiptOf(block int, status string) string {
	return fmt.Sprintf(`"result":{"transactionHash":"%s","blockHash":"%s","status":"%s","gasUsed":"0x5208","effectiveGasPrice":"0x3b9aca00","l1Fee":"0x5","logs":[]}`, hashText(0xaa), hashText(block), status)
}

// sound is a node with one block and one transaction.
var sound = script{
	"eth_getBlockByNumber 0x7":  blockOf(7, 7, 6, strange+","+sent),
	"eth_getBlockByNumber 0x8":  blockOf(8, 8, 7, ""),
	"eth_getBlockByHash":        blockOf(7, 7, 6, sent),
	"eth_getLogs":               `"result":[]`,
	"eth_getTransactionReceipt": receiptOf(7, "0x1"),
	"eth_getTransactionByHash":  `"result":` + sent,
}

func logOf(transaction, block int, removed bool) string {
	return fmt.Sprintf(`"result":[{"logIndex":"0x0","address":"%s","topics":[],"data":"0x","blockHash":"%s","transactionHash":"%s","removed":%t}]`,
		account, hashText(block), hashText(transaction), removed)
}

func TestBlocksAreReadWithTheTransactionsOfAccounts(t *testing.T) {
	headers, found, err := sound.reader().Blocks(t.Context(), "eip155:1", 7, 8, []evm.Address{account})
	if err != nil || len(headers) != 2 || len(found) != 1 {
		t.Fatalf("%v, %v, %v", headers, found, err)
	}
	f := found[0]
	if f.Header.Number != 7 || f.Transaction.From != account || !f.Receipt.Succeeded || f.Receipt.Fee.String() != "21000000000005" {
		t.Errorf("%+v", f)
	}
	if _, found, err := sound.reader().Blocks(t.Context(), "eip155:1", 7, 8, []evm.Address{{1}}); err != nil || len(found) != 0 {
		t.Errorf("another account's: %v, %v", found, err)
	}
}

func TestAReceiptWithoutAStatusIsValidOnlyBeforeByzantium(t *testing.T) {
	old := sound.with("eth_getTransactionReceipt", strings.Replace(receiptOf(7, "0x1"), `"status":"0x1",`, "", 1))
	for chain, want := range map[string]error{"eip155:1": nil, "eip155:10": chainclient.ErrAnswer} {
		if _, _, err := old.reader().Blocks(t.Context(), chain, 7, 8, []evm.Address{account}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", chain, err, want)
		}
	}
}

func TestInconsistentResponsesAreErrors(t *testing.T) {
	blocks := func(s script) error {
		_, _, err := s.reader().Blocks(t.Context(), "eip155:1", 7, 8, []evm.Address{account})
		return err
	}
	block := func(s script) error {
		h := Header{Number: 7}
		h.Hash[31] = 7
		_, err := s.reader().Block(t.Context(), "eip155:1", h, []evm.Address{account})
		return err
	}
	logged := func(s script) error {
		_, err := s.reader().Logged(t.Context(), "eip155:1", 7, 8, []evm.Address{account}, nil)
		return err
	}
	for _, tt := range []struct {
		behaviour string
		read      func(script) error
		node      script
		want      error
	}{
		{"a sound node", blocks, sound, nil},
		{"a sound block", block, sound, nil},
		{"sound logs", logged, sound.with("eth_getLogs", logOf(0xaa, 7, false)), nil},
		{"a missing block", blocks, sound.with("eth_getBlockByNumber 0x8", `"result":null`), ErrMoved},
		{"blocks of two branches", blocks, sound.with("eth_getBlockByNumber 0x8", blockOf(8, 8, 99, "")), ErrMoved},
		{"a log of another branch", blocks, sound.with("eth_getLogs", logOf(0xaa, 99, false)), ErrMoved},
		{"a log of a transaction in no block", blocks, sound.with("eth_getLogs", logOf(0xbb, 7, false)), ErrMoved},
		{"a log that was removed", blocks, sound.with("eth_getLogs", logOf(0xaa, 7, true)), ErrMoved},
		{"a receipt of another branch", blocks, sound.with("eth_getTransactionReceipt", receiptOf(99, "0x1")), ErrMoved},
		{"a receipt of another transaction", blocks, sound.with("eth_getTransactionReceipt", strings.Replace(receiptOf(7, "0x1"), "aa\"", "bb\"", 1)), chainclient.ErrAnswer},
		{"no receipt", blocks, sound.with("eth_getTransactionReceipt", `"result":null`), chainclient.ErrAnswer},
		{"a missing hash", block, sound.with("eth_getBlockByHash", `"result":null`), ErrMoved},
		{"a transaction that moved", logged, sound.with("eth_getLogs", logOf(0xaa, 9, false)), ErrMoved},
		{"a node that lags behind the range", logged, sound.with("eth_getBlockByNumber 0x8", `"result":null`), ErrMoved},
		{"a block without a hash", blocks, sound.with("eth_getBlockByNumber 0x7", `"result":{"number":"0x7"}`), ErrMoved},
		{"an invalid number", blocks, sound.with("eth_getBlockByNumber 0x7", `"result":{"number":"seven"}`), chainclient.ErrAnswer},
	} {
		t.Run(tt.behaviour, func(t *testing.T) {
			if err := tt.read(tt.node); !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
		})
	}
}

func TestKnownTransactionsAreReadToo(t *testing.T) {
	known, err := ParseHash(hashText(0xaa))
	if err != nil {
		t.Fatal(err)
	}
	found, err := sound.reader().Logged(t.Context(), "eip155:1", 7, 8, []evm.Address{account}, []Hash{known, known})
	if err != nil || len(found) != 1 || found[0].Transaction.Hash != known || found[0].Header.Number != 7 {
		t.Errorf("%v, %v", found, err)
	}
	for behaviour, node := range map[string]script{
		"it is not there":        sound.with("eth_getTransactionByHash", `"result":null`),
		"it is in another block": sound.with("eth_getBlockByHash", blockOf(99, 7, 6, "")),
	} {
		if _, err := node.reader().Logged(t.Context(), "eip155:1", 7, 8, []evm.Address{account}, []Hash{known}); !errors.Is(err, ErrMoved) {
			t.Errorf("%s: %v", behaviour, err)
		}
	}
}

func TestIncompleteBatchesAreErrors(t *testing.T) {
	for behaviour, answer := range map[string]string{
		"no JSON":                 `<html>`,
		"no block":                `[{"id":0,"result":null}]`,
		"a block without hash":    `[{"id":0,"result":{"number":"0x1"}}]`,
		"one error for the whole": `{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"limit"}}`,
		"an error in it":          `[{"jsonrpc":"2.0","id":0,"error":{"code":-32005,"message":"limit"}}]`,
		"fewer answers":           `[]`,
		"a repeated id":           `[{"id":0,"result":{}},{"id":0,"result":{}}]`,
		"an unknown id":           `[{"id":7,"result":{}}]`,
		"an id that is null":      `[{"id":null,"result":{}}]`,
		"neither answer":          `[{"id":0}]`,
		"a list for a block":      `[{"id":0,"result":[]}]`,
	} {
		t.Run(behaviour, func(t *testing.T) {
			r := NewReader(func(string) chainclient.Transport {
				return func(context.Context, []byte) ([]byte, error) { return []byte(answer), nil }
			}, nil, nil)
			h, err := r.Head(t.Context(), "eip155:1")
			refusal, refused := errors.AsType[*chainclient.NodeError](err)
			if !errors.Is(err, chainclient.ErrAnswer) && !refused {
				t.Errorf("%v, %v", h, err)
			}
			if refused && refusal.Code != -32005 {
				t.Errorf("%v", refusal)
			}
		})
	}
}

func TestManyAccountsNeedSeveralFilters(t *testing.T) {
	all := filters(make([]evm.Address, 2*accountsPerFilter+1))
	if len(all) != 9 {
		t.Errorf("%d filters", len(all))
	}
	for _, f := range all {
		if blocks := f.OfBlock(Hash{1}).Params[0].(map[string]any); blocks["blockHash"] != (Hash{1}).String() || blocks["topics"] == nil {
			t.Errorf("%v", blocks)
		}
	}
}

// Beyond some accounts, the logs of a block are those of all accounts.
func TestOfAllLogsThoseOfTheAccountsAreKept(t *testing.T) {
	log := func(transaction int, topics ...string) string {
		return fmt.Sprintf(`{"logIndex":"0x0","address":"%s","topics":["%s"],"data":"0x","blockHash":"%s","transactionHash":"%s","removed":false}`,
			account, strings.Join(topics, `","`), hashText(7), hashText(transaction))
	}
	of := func(a evm.Address) string { return common.BytesToHash(a[:]).String() }
	other := of(evm.Address{9})
	logs := []string{
		log(0xaa, Transfer.String(), other, of(account)),
		log(0xbb, Transfer.String(), other, other),
		// A spender is not the owner of what is approved.
		log(0xcc, Approval.String(), other, of(account)),
		log(0xdd, Transfer.String()),
	}
	node := sound.with("eth_getLogs", `"result":[`+strings.Join(logs, ",")+`]`)
	accounts := append(make([]evm.Address, filteredAccounts), account)
	h := Header{Number: 7}
	h.Hash[31] = 7
	found, err := node.reader().Block(t.Context(), "eip155:1", h, accounts)
	if err != nil || len(found) != 1 || found[0].Transaction.Hash.String() != hashText(0xaa) {
		t.Errorf("%v, %v; want the transaction that names the account", found, err)
	}
}

func TestAnswersTakeBytesWhileTheyAreDecoded(t *testing.T) {
	memory := limit.NewMemory(1 << 20)
	answer := []byte(`[{"id":0,"result":"` + strings.Repeat("x", 400<<10) + `"}]`)
	r := NewReader(func(string) chainclient.Transport {
		return func(context.Context, []byte) ([]byte, error) { return answer, nil }
	}, nil, memory)
	if _, err := r.Head(t.Context(), "eip155:1"); !errors.Is(err, limit.ErrMemory) {
		t.Errorf("an answer of more than a chain's part: %v", err)
	}
	if n := memory.Used(); n != 0 {
		t.Errorf("%d bytes are held", n)
	}
}
