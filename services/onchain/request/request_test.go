package request_test

import (
	"errors"
	"strings"
	"testing"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

func TestChain(t *testing.T) {
	for _, tt := range []struct {
		text, want string
		reason     faultv1.Reason
	}{
		{text: "eip155:8453", want: "eip155:8453"},
		{text: "8453", want: "eip155:8453"},
		{text: "", reason: faultv1.Reason_REASON_IDENTIFIER_INVALID},
		{text: "eip155:1:2", reason: faultv1.Reason_REASON_IDENTIFIER_INVALID},
		{text: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", reason: faultv1.Reason_REASON_NAMESPACE_UNSUPPORTED},
	} {
		t.Run(tt.text, func(t *testing.T) {
			got, err := request.Chain("chainId", tt.text)
			if reasonOf(err) != tt.reason || (err == nil && got != tt.want) {
				t.Errorf("got %q, %v; want %q, %v", got, err, tt.want, tt.reason)
			}
		})
	}
}

func TestAnOwnerIsOfTheNamespaceOfItsChainOrElseOfItsForm(t *testing.T) {
	const (
		evm     = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
		printed = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
		solana  = "So11111111111111111111111111111111111111112"
		mainnet = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
	)
	for _, tt := range []struct {
		chainID, address, chain, want string
		field                         string
		reason                        faultv1.Reason
	}{
		{address: evm, want: printed},
		{address: solana, want: solana},
		{chainID: "eip155:1", address: evm, chain: "eip155:1", want: printed},
		{chainID: "1", address: evm, chain: "eip155:1", want: printed},
		{chainID: mainnet, address: solana, chain: mainnet, want: solana},
		{chainID: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", address: solana, chain: mainnet, want: solana},
		{chainID: "eip155:1", address: solana, field: "address", reason: faultv1.Reason_REASON_ADDRESS_INVALID},
		{chainID: mainnet, address: evm, field: "address", reason: faultv1.Reason_REASON_ADDRESS_INVALID},
		{address: "", field: "address", reason: faultv1.Reason_REASON_ADDRESS_INVALID},
		{chainID: "eip155:1:2", address: evm, reason: faultv1.Reason_REASON_IDENTIFIER_INVALID},
		{chainID: "bip122:000000000019d6689c085ae165831e93", address: evm, field: "chainId", reason: faultv1.Reason_REASON_NAMESPACE_UNSUPPORTED},
	} {
		o, err := request.ParseOwner("chainId", tt.chainID, tt.address)
		if reasonOf(err) != tt.reason || err == nil && (o.ChainID != tt.chain || o.Address() != tt.want || o.IsSolana() != (tt.want == solana)) {
			t.Errorf("%s on %q: got %+v, %v", tt.address, tt.chainID, o, err)
		}
		if f, ok := errors.AsType[*fault.Error](err); ok && f.Field != tt.field {
			t.Errorf("%s on %q: the error names %q, want %q", tt.address, tt.chainID, f.Field, tt.field)
		}
	}
}

func TestAmountIsAWholeNumberOfBaseUnits(t *testing.T) {
	most := "115792089237316195423570985008687907853269984665640564039457584007913129639935"
	for _, text := range []string{"1", "007", most} {
		if got, err := request.Amount("amount", text); err != nil || got.String() != strings.TrimLeft(text, "0") {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "+1", "1.5", "1e18", "0x10", "1_000", " 1", most + "0", most[:len(most)-1] + "6"} {
		if got, err := request.Amount("amount", text); reasonOf(err) != faultv1.Reason_REASON_AMOUNT_INVALID {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
}

func reasonOf(err error) faultv1.Reason {
	var f *fault.Error
	if !errors.As(err, &f) {
		return faultv1.Reason_REASON_UNSPECIFIED
	}
	return f.Reason
}
