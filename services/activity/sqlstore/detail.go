package sqlstore

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// storedDetail is an [index.Detail] as JSON. Amounts are decimal text.
type storedDetail struct {
	Operation index.Operation  `json:"operation"`
	Failed    bool             `json:"failed,omitempty"`
	From      string           `json:"from"`
	To        string           `json:"to,omitempty"`
	Nonce     uint64           `json:"nonce"`
	Fee       string           `json:"fee,omitempty"`
	Transfers []storedTransfer `json:"transfers"`
}

type storedTransfer struct {
	Standard  index.Standard  `json:"standard"`
	Contract  string          `json:"contract,omitempty"`
	TokenID   string          `json:"token_id,omitempty"`
	Direction index.Direction `json:"direction"`
	From      string          `json:"from"`
	To        string          `json:"to"`
	Units     string          `json:"units"`
}

func encodeDetail(d index.Detail) (string, error) {
	stored := storedDetail{Operation: d.Operation, Failed: d.Failed, From: lower(d.From), Nonce: d.Nonce}
	if d.To != nil {
		stored.To = lower(*d.To)
	}
	if d.Fee != nil {
		stored.Fee = d.Fee.String()
	}
	for _, t := range d.Transfers {
		s := storedTransfer{Standard: t.Standard, TokenID: t.TokenID, Direction: t.Direction, From: lower(t.From), To: lower(t.To), Units: t.Units.String()}
		if t.Standard != index.Native {
			s.Contract = lower(t.Contract)
		}
		stored.Transfers = append(stored.Transfers, s)
	}
	raw, err := json.Marshal(stored)
	return string(raw), err
}

func decodeDetail(raw string) (index.Detail, error) {
	var stored storedDetail
	if err := json.Unmarshal([]byte(raw), &stored); err != nil {
		return index.Detail{}, fmt.Errorf("detail: %w", err)
	}
	var r textReader
	d := index.Detail{Operation: stored.Operation, Failed: stored.Failed, From: r.address(stored.From), Nonce: stored.Nonce}
	if stored.To != "" {
		to := r.address(stored.To)
		d.To = &to
	}
	if stored.Fee != "" {
		d.Fee = r.amount(stored.Fee)
	}
	for _, s := range stored.Transfers {
		t := index.Transfer{Direction: s.Direction, From: r.address(s.From), To: r.address(s.To), Units: r.amount(s.Units)}
		t.Asset = index.Asset{Standard: s.Standard, TokenID: s.TokenID}
		if s.Contract != "" {
			t.Contract = r.address(s.Contract)
		}
		d.Transfers = append(d.Transfers, t)
	}
	return d, r.err
}

// textReader parses values and keeps the first error.
type textReader struct{ err error }

func (r *textReader) address(text string) evm.Address {
	a, err := evm.ParseAddress(text)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("detail: %w", err)
	}
	return a
}

func (r *textReader) amount(text string) *big.Int {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok && r.err == nil {
		r.err = fmt.Errorf("detail: %q is not an amount", text)
	}
	return n
}
