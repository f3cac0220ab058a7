package caip_test

import (
	"errors"
	"testing"

	"buf.build/go/protovalidate"
	"google.golang.org/protobuf/proto"

	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
)

// A reader could take another spelling of a chain for another chain, or for the same.
func TestTheRulesOfTheAPIAcceptOneSpellingOfAChain(t *testing.T) {
	const address = ":0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
	for id, want := range map[string]bool{
		"eip155:1": true, "eip155:31337": true, "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp": true, "bip122:000000000019d6689c085ae165831e93": true,
		"eip155:01": false, "eip155:0": false, "eip155:0x1": false, "eip155:1e3": false, "eip155:-1": false, "eip155:": false,
	} {
		for field, message := range map[string]proto.Message{
			"chain_id": &bundlerv1.ForwardRequest{ChainId: id}, "account": &sessionsv1.ListSessionsRequest{Account: id + address},
		} {
			broken := false
			if failed, ok := errors.AsType[*protovalidate.ValidationError](protovalidate.Validate(message)); ok {
				for _, v := range failed.Violations {
					broken = broken || v.Proto.GetRuleId() == "caip."+field
				}
			}
			if broken == want {
				t.Errorf("%s as %s: refused is %t", id, field, broken)
			}
		}
	}
}
