package node

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// flood is an account that one transaction names so often that no node returns its logs.
var flood = evm.MustAddress("0x00000000000000000000000000000000000f100d")

// largeNode is a node with block 7, in which account sent transaction 0xaa, and 0xbb has a log that names it. A call is refused if its text contains one of
// the texts, and a batch if it has that many calls of a method.
type largeNode struct {
	refused []string
	most    map[string]int
}

func (n largeNode) transport(_ context.Context, body []byte) ([]byte, error) {
	var calls []struct {
		ID     int
		Method string
		Params json.RawMessage
	}
	if err := json.Unmarshal(body, &calls); err != nil {
		return nil, err
	}
	count := map[string]int{}
	for _, c := range calls {
		count[c.Method]++
	}
	answers := make([]string, len(calls))
	for i, c := range calls {
		text := c.Method + " " + string(c.Params)
		answer := n.answer(c.Method, text)
		for _, refused := range n.refused {
			if strings.Contains(text, refused) {
				answer = `"error":{"code":-32005,"message":"the answer is too large: ask for less at once","data":"too large"}`
			}
		}
		if most, ok := n.most[c.Method]; ok && count[c.Method] > most {
			answer = `"error":{"code":-32005,"message":"the answer is over 1 byte: ask for less at once","data":"too large"}`
		}
		answers[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, c.ID, answer)
	}
	return []byte("[" + strings.Join(answers, ",") + "]"), nil
}

func (n largeNode) answer(method, text string) string {
	other := strings.NewReplacer(hashText(0xaa), hashText(0xbb), "a11ce", "b0b00", `"transactionIndex":"0x0"`, `"transactionIndex":"0x1"`)
	isOther := strings.Contains(text, hashText(0xbb))
	switch method {
	case "eth_getBlockByHash", "eth_getBlockByNumber":
		transactions := sent + "," + other.Replace(sent)
		if strings.Contains(text, "false") {
			transactions = ""
		}
		return blockOf(7, 7, 6, transactions)
	case "eth_getLogs":
		if strings.Contains(text, "a11ce") {
			return logOf(0xbb, 7, false)
		}
		return `"result":[]`
	case "eth_getTransactionByHash":
		if isOther {
			return `"result":` + other.Replace(sent)
		}
		return `"result":` + sent
	case "eth_getTransactionReceipt":
		if isOther {
			return other.Replace(receiptOf(7, "0x1"))
		}
		return receiptOf(7, "0x1")
	}
	return `"result":null`
}

func TestOfABlockThatIsTooLargeTheRestIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		node largeNode
		// whole are the transactions of a whole block, and logged those that its logs name.
		whole, logged string
	}{
		"a small block":               {largeNode{}, "aa bb", "bb"},
		"all transactions of a block": {largeNode{refused: []string{"true"}}, "bb", "bb"},
		"the logs of an account":      {largeNode{refused: []string{"f100d"}}, "aa bb", "bb"},
		"a receipt":                   {largeNode{refused: []string{"eth_getTransactionReceipt [\"" + hashText(0xaa)}}, "bb", "bb"},
		"receipts, together":          {largeNode{most: map[string]int{"eth_getTransactionReceipt": 1}}, "aa bb", "bb"},
		"a transaction":               {largeNode{refused: []string{"eth_getTransactionByHash"}}, "aa bb", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := NewReader(func(string) chainclient.Transport { return c.node.transport }, nil, nil)
			accounts := []evm.Address{{1}, account, flood}
			header := Header{Number: 7}
			header.Hash[31] = 7
			block, err := r.Block(t.Context(), "eip155:1", header, accounts)
			if err != nil || hashes(block) != c.whole {
				t.Errorf("the block: got %q, %v; want %q", hashes(block), err, c.whole)
			}
			headers, blocks, err := r.Blocks(t.Context(), "eip155:1", 7, 7, accounts)
			if err != nil || hashes(blocks) != c.whole || len(headers) != 1 {
				t.Errorf("blocks: got %q, %v; want %q", hashes(blocks), err, c.whole)
			}
			logs, err := r.Logged(t.Context(), "eip155:1", 7, 7, accounts, nil)
			if err != nil || hashes(logs) != c.logged {
				t.Errorf("logs: got %q, %v; want %q", hashes(logs), err, c.logged)
			}
		})
	}
}

// Several blocks are read again, fewer at once, so nothing of them is left out.
func TestSeveralBlocksThatAreTooLargeAreNotRead(t *testing.T) {
	r := NewReader(func(string) chainclient.Transport { return largeNode{refused: []string{"f100d"}}.transport }, nil, nil)
	if _, err := r.Logged(t.Context(), "eip155:1", 6, 7, []evm.Address{account, flood}, nil); !chainclient.IsTooLarge(err) {
		t.Errorf("got %v", err)
	}
}

// hashes returns the last bytes of the hashes of transactions in order.
func hashes(found []Found) string {
	var all []string
	for _, f := range found {
		all = append(all, fmt.Sprintf("%x", f.Transaction.Hash[31:]))
	}
	return strings.Join(all, " ")
}
