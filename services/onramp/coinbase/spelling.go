package coinbase

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/hawser-dev/hawser/services/onramp/wire"
)

// either decodes JSON whose members are spelled payment_total or paymentTotal; package json ignores case.
type either[T any] struct{ is T }

func (e *either[T]) UnmarshalJSON(raw []byte) error {
	var any any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&any); err != nil {
		return err
	}
	folded, err := json.Marshal(fold(any))
	if err != nil {
		return err
	}
	return json.Unmarshal(folded, &e.is)
}

// fold removes the underscores from all names of members.
func fold(value any) any {
	switch v := value.(type) {
	case map[string]any:
		folded := make(map[string]any, len(v))
		for name, member := range v {
			folded[strings.ReplaceAll(name, "_", "")] = fold(member)
		}
		return folded
	case []any:
		for i := range v {
			v[i] = fold(v[i])
		}
	}
	return value
}

// money is an amount of a currency or a token.
type money struct {
	Value    *wire.Decimal `json:"value"`
	Currency string        `json:"currency"`
}
