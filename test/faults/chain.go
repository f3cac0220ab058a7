package main

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
	"syscall"
	"time"
)

// chain is the local EVM chain.
type chain struct {
	CAIP2  string `json:"caip2"`
	RPCURL string `json:"rpcUrl"`
	Tokens []struct {
		Symbol  string `json:"symbol"`
		Address string `json:"address"`
	} `json:"tokens"`
	SmartAccounts struct {
		Delegate string
	} `json:"smartAccounts"`
	// accounts are funded.
	accounts []string
}

// startChain starts two chains, the first of which is used. They end with this program.
func (w *world) startChain(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "node", "packages/devnet/src/cli.mjs", "--ephemeral", "--chains", "31337,31338")
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	var err error
	if w.lifeline, err = cmd.StdinPipe(); err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("the local chain did not start: %w", err)
	}
	var described struct {
		Chains   []chain `json:"chains"`
		Accounts []struct {
			Address string `json:"address"`
		} `json:"accounts"`
	}
	if err := json.Unmarshal(line, &described); err != nil {
		return err
	}
	w.chain, w.chains = described.Chains[0], described.Chains
	for _, a := range described.Accounts {
		w.chain.accounts = append(w.chain.accounts, a.Address)
	}
	return os.WriteFile(filepath.Join(w.dir, "devnet.json"), line, 0o600)
}

// token returns the address of a token.
func (c chain) token(symbol string) string {
	for _, t := range c.Tokens {
		if t.Symbol == symbol {
			return t.Address
		}
	}
	return ""
}

// call asks the chain itself, not the suite.
func (c chain) call(ctx context.Context, into any, method string, params ...any) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.RPCURL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	var answer struct {
		Result json.RawMessage
		Error  json.RawMessage
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return err
	}
	if answer.Error != nil {
		return fmt.Errorf("%s: %s", method, answer.Error)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer.Result, into)
}

// mined sends one wei to an address and returns the hash of the transaction and of its block.
func (c chain) mined(ctx context.Context, to string) (transaction, block string, err error) {
	if err := c.call(ctx, &transaction, "eth_sendTransaction", map[string]any{"from": c.accounts[4], "to": to, "value": "0x1"}); err != nil {
		return "", "", err
	}
	for range 100 {
		var receipt *struct{ BlockHash string }
		if err := c.call(ctx, &receipt, "eth_getTransactionReceipt", transaction); err != nil {
			return "", "", err
		}
		if receipt != nil {
			return transaction, receipt.BlockHash, nil
		}
		pause(ctx, 50*time.Millisecond)
	}
	return "", "", errors.New("the transaction is not mined")
}
