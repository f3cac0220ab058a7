package access

import (
	"testing"
)

func TestWhatCallsCost(t *testing.T) {
	for body, want := range map[string]int{
		"": 1, "{}": 1, "[]": 1, "[": 1, "x": 1, `{"method":"eth_call"}`: 1, `{"method":"eth_getLogs"}`: 10,
		` [{"method":"eth_call"},{"method":"eth_getLogs"},3]`: 12, `{"method":"eth_sendUserOperation"}`: 10,
		`{"method":"eth_sendRawTransaction"}`: 1, `{"method":"eth_sendRawTransactionSync"}`: 10,
	} {
		if got := requestWeight([]byte(body)); got != want {
			t.Errorf("%s costs %d, want %d", body, got, want)
		}
	}
}
