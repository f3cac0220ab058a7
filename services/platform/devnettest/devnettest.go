// Package devnettest gives Go tests real local chains with tokens on them. They need Node.js and an `npm install`.
package devnettest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

const (
	// startTimeout bounds the start of the chains: the first one compiles their contracts.
	startTimeout = 2 * time.Minute
	callTimeout  = 20 * time.Second
)

// Devnet describes the running chains; the file .hawser/devnet.json has the same shape.
type Devnet struct {
	Chains   []Chain   `json:"chains"`
	Accounts []Account `json:"accounts"`
	// Solana is nil except in the result of [Devnet.With].
	Solana *Solana `json:"solana"`
	// Raw is the description as it was printed.
	Raw []byte `json:"-"`

	// lifeline is the standard input of the chains' process. It must stay open as long as this process runs.
	lifeline *os.File
}

// Chain is one local chain.
type Chain struct {
	ChainID   uint64            `json:"chainId"`
	CAIP2     string            `json:"caip2"`
	Name      string            `json:"name"`
	RPCURL    string            `json:"rpcUrl"`
	Contracts map[string]string `json:"contracts"`
	Tokens    []Token           `json:"tokens"`
	NFTs      []Collection      `json:"nfts"`
}

// Token is one ERC-20 token.
type Token struct {
	Symbol   string `json:"symbol"`
	Name     string `json:"name"`
	Address  string `json:"address"`
	Decimals int    `json:"decimals"`
}

// Collection is one contract of NFTs.
type Collection struct {
	Name    string `json:"name"`
	Symbol  string `json:"symbol"`
	Address string `json:"address"`
	// Standard is erc721 or erc1155.
	Standard string    `json:"standard"`
	Tokens   []Minting `json:"tokens"`
}

// Minting is how much of one NFT a holder received; numbers are decimal text.
type Minting struct {
	TokenID  string `json:"tokenId"`
	Holder   string `json:"holder"`
	Quantity string `json:"quantity"`
}

// Account is one funded account of the standard mnemonic.
type Account struct {
	Address string `json:"address"`
}

var (
	startEVM    = sync.OnceValues(func() (*Devnet, error) { return run("31337,31338") })
	startSolana = sync.OnceValues(func() (*Devnet, error) { return run("solana") })
)

// Start returns the EVM chains of this test process, which all its tests share. They end with the process.
func Start(tb testing.TB) *Devnet {
	tb.Helper()
	return started(tb, startEVM)
}

// StartSolana returns the Solana chain of this test process, which all its tests share. It ends with the process.
func StartSolana(tb testing.TB) *Solana {
	tb.Helper()
	return started(tb, startSolana).Solana
}

func started(tb testing.TB, start func() (*Devnet, error)) *Devnet {
	tb.Helper()
	d, err := start()
	if err != nil {
		tb.Fatalf("the local chains did not start (run `make setup` first): %v", err)
	}
	return d
}

// run starts the chains. They stop when their standard input closes, which happens however this process ends.
func run(chains string) (*Devnet, error) {
	cli, err := command()
	if err != nil {
		return nil, err
	}
	stdin, held, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	stdout, printed, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("node", cli, "--ephemeral", "--chains", chains)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, printed, os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	_ = stdin.Close()
	_ = printed.Close()
	if err := stdout.SetReadDeadline(time.Now().Add(startTimeout)); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	d := &Devnet{Raw: line, lifeline: held}
	return d, json.Unmarshal(line, d)
}

// command returns the path of the local chains' command.
func command() (string, error) {
	root, err := Repository()
	if err != nil {
		return "", err
	}
	cli := filepath.Join(root, "packages/devnet/src/cli.mjs")
	_, err = os.Stat(cli)
	return cli, err
}

// Repository returns the root of the repository that the test runs in: the nearest folder with a go.work above the working directory.
func Repository() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.work above the working directory")
		}
		dir = parent
	}
}

// Chain returns the chain with a CAIP-2 id.
func (d *Devnet) Chain(tb testing.TB, caip2 string) Chain {
	tb.Helper()
	for _, c := range d.Chains {
		if c.CAIP2 == caip2 {
			return c
		}
	}
	tb.Fatalf("there is no local chain %s", caip2)
	return Chain{}
}

// Describe returns the chain's entry of the description, as JSON; nil for another chain.
func (d *Devnet) Describe(caip2 string) []byte {
	var whole struct {
		Chains []json.RawMessage `json:"chains"`
	}
	if err := json.Unmarshal(d.Raw, &whole); err != nil {
		return nil
	}
	for i, c := range d.Chains {
		if c.CAIP2 == caip2 {
			return whole.Chains[i]
		}
	}
	return nil
}

// Token returns the token with a symbol.
func (c Chain) Token(tb testing.TB, symbol string) Token {
	tb.Helper()
	for _, t := range c.Tokens {
		if t.Symbol == symbol {
			return t
		}
	}
	tb.Fatalf("chain %s has no token %s", c.CAIP2, symbol)
	return Token{}
}

// Forward posts one JSON-RPC body to the chain's node and returns the answer.
func (c Chain) Forward(ctx context.Context, body []byte) ([]byte, error) {
	return forward(ctx, c.RPCURL, body)
}

func forward(ctx context.Context, url string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	return io.ReadAll(res.Body)
}

// Call calls one method of the chain's node, including the anvil_ methods, and returns its result.
func (c Chain) Call(tb testing.TB, method string, params ...any) json.RawMessage {
	tb.Helper()
	return call(tb, c.RPCURL, method, params)
}

// Send sends a transaction of an account of the node, and returns its receipt once it is in a block. The node answers eth_sendTransaction before that.
func (c Chain) Send(tb testing.TB, transaction any) json.RawMessage {
	tb.Helper()
	hash := c.Call(tb, "eth_sendTransaction", transaction)
	for deadline := time.Now().Add(callTimeout); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if receipt := c.Call(tb, "eth_getTransactionReceipt", hash); string(receipt) != "null" {
			return receipt
		}
	}
	tb.Fatalf("transaction %s is in no block", hash)
	return nil
}

// Snapshot returns a function that reverts the chain to its present state.
func (c Chain) Snapshot(tb testing.TB) (revert func(tb testing.TB)) {
	tb.Helper()
	snapshot := c.Call(tb, "evm_snapshot")
	return func(tb testing.TB) {
		tb.Helper()
		c.awaitEmptyPool(tb)
		if reverted := c.Call(tb, "evm_revert", snapshot); string(reverted) != "true" {
			tb.Fatalf("the chain was not reverted: %s", reverted)
		}
	}
}

// awaitEmptyPool waits until the node has removed the transactions of the newest block from its pool, which it does after it serves their receipts.
// If a snapshot is reverted before that, the node removes transactions with the same nonces that are sent afterwards, and they are never in a block.
func (c Chain) awaitEmptyPool(tb testing.TB) {
	tb.Helper()
	for deadline := time.Now().Add(time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if string(c.Call(tb, "txpool_status")) == `{"pending":"0x0","queued":"0x0"}` {
			return
		}
	}
}

func call(tb testing.TB, url, method string, params []any) json.RawMessage {
	tb.Helper()
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		tb.Fatal(err)
	}
	answer, err := forward(tb.Context(), url, body)
	if err != nil {
		tb.Fatal(err)
	}
	var res struct {
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(answer, &res); err != nil || res.Error != nil {
		tb.Fatal(fmt.Errorf("%s: %s %w", method, res.Error, err))
	}
	return res.Result
}

// VerifyNoLeaks is the body of a TestMain: it fails if a goroutine leaks. It closes connections to the chains first.
func VerifyNoLeaks(m *testing.M, options ...goleak.Option) {
	goleak.VerifyTestMain(closing{m}, options...)
}

type closing struct{ *testing.M }

// Run runs the tests.
func (c closing) Run() int {
	code := c.M.Run()
	http.DefaultClient.CloseIdleConnections()
	return code
}
