package devnettest

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"
	"testing"
)

// Solana is the local Solana chain.
type Solana struct {
	CAIP2       string          `json:"caip2"`
	GenesisHash string          `json:"genesisHash"`
	RPCURL      string          `json:"rpcUrl"`
	WSURL       string          `json:"wsUrl"`
	Tokens      []SolanaToken   `json:"tokens"`
	Accounts    []SolanaAccount `json:"accounts"`
	Treasury    SolanaAccount   `json:"treasury"`
	// Raw is the chain's entry of the description, as JSON.
	Raw []byte `json:"-"`
}

// SolanaToken is one mint.
type SolanaToken struct {
	Symbol   string `json:"symbol"`
	Name     string `json:"name"`
	Address  string `json:"address"`
	Decimals int    `json:"decimals"`
	// Program is the address of the token program.
	Program string `json:"program"`
}

// SolanaAccount is one account of the standard mnemonic.
type SolanaAccount struct {
	Address string `json:"address"`
	// SecretKey is the private and the public key, 64 bytes in base58.
	SecretKey string `json:"secretKey"`
}

// With returns the chains together with the Solana chain.
func (d *Devnet) With(s *Solana) *Devnet {
	both := *d
	both.Solana = s
	both.Raw = slices.Concat(bytes.TrimSuffix(bytes.TrimSpace(d.Raw), []byte("}")), []byte(`,"solana":`), s.Raw, []byte("}"))
	return &both
}

// UnmarshalJSON decodes the entry, and keeps its text in Raw.
func (s *Solana) UnmarshalJSON(raw []byte) error {
	type members Solana
	if err := json.Unmarshal(raw, (*members)(s)); err != nil {
		return err
	}
	s.Raw = bytes.Clone(raw)
	return nil
}

// Token returns the token with a symbol.
func (s *Solana) Token(tb testing.TB, symbol string) SolanaToken {
	tb.Helper()
	for _, t := range s.Tokens {
		if t.Symbol == symbol {
			return t
		}
	}
	tb.Fatalf("the Solana chain has no token %s", symbol)
	return SolanaToken{}
}

// Forward posts one JSON-RPC body to the node and returns the answer.
func (s *Solana) Forward(ctx context.Context, body []byte) ([]byte, error) {
	return forward(ctx, s.RPCURL, body)
}

// Call calls one method of the node and returns its result. The development methods are devnet_setAccount and devnet_advanceSlots.
func (s *Solana) Call(tb testing.TB, method string, params ...any) json.RawMessage {
	tb.Helper()
	return call(tb, s.RPCURL, method, params)
}

// SetAccount writes an account with a program for its owner. It holds enough lamports to be free of rent.
func (s *Solana) SetAccount(tb testing.TB, address, owner string, data []byte) {
	tb.Helper()
	s.Call(tb, "devnet_setAccount", address, map[string]any{"owner": owner, "data": []string{base64.StdEncoding.EncodeToString(data), "base64"}})
}
