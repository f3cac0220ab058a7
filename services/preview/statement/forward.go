package statement

import (
	"fmt"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/preview/simulation"
)

// forwarder says which members of a request to a forwarder (ERC-2771) are the account, the contract that is called, and the call.
type forwarder struct{ from, to, data string }

// forwarders are the requests by their type: those of OpenZeppelin and of the Gas Station Network, and of the relayers that have their own.
var forwarders = map[string]forwarder{
	"ForwardRequest":         {"from", "to", "data"},
	"RelayRequest":           {"from", "to", "data"},
	"ERC20ForwardRequest":    {"from", "to", "data"},
	"SponsoredCallERC2771":   {"user", "target", "data"},
	"CallWithERC2771":        {"user", "target", "data"},
	"CallWithSyncFee":        {"user", "target", "data"},
	"CallWithSyncFeeERC2771": {"user", "target", "data"},
	"ExecuteWithSig":         {"from", "to", "data"},
}

// forwarded reads a request to a forwarder, which anyone can send: its contract calls another one in the name of the account.
func (s *Statement) forwarded(account evm.Address, kind string, m object) {
	of, ok := forwarders[kind]
	if !ok {
		return
	}
	if inner := m.object("request"); inner != nil {
		m = inner
	}
	to := m.address(of.to)
	if from := m.address(of.from); from == nil || *from != account {
		return
	}
	s.Kind = Operation
	if to == nil {
		s.UnknownCall = true
		return
	}
	s.call(account, simulation.Call{To: to, Value: m.number("value"), Data: m.bytes(of.data)})
}

// hyperliquid is the prefix of the types of Hyperliquid's actions.
const hyperliquid = "HyperliquidTransaction:"

// destinations are the members by which services beside the chain name who receives, or who may act.
var destinations = []string{"destination", "recipient", "receiver", "to", "agentAddress", "agent", "toAddress"}

// elsewhere reads actions and withdrawals of services beside the chain: they are done by whoever gets the signature.
func (s *Statement) elsewhere(kind string, m object) {
	name, isHyperliquid := strings.CutPrefix(kind, hyperliquid)
	if !isHyperliquid && !strings.EqualFold(strings.TrimSuffix(name, "Request"), "Withdraw") && !strings.EqualFold(name, "Withdrawal") {
		return
	}
	s.Kind = Elsewhere
	for _, member := range destinations {
		if to := m.address(member); to != nil && m[member] != nil {
			s.Delegate = to
			return
		}
	}
}

// examine looks at typed data of an unknown type. If all that it names is hashes, what is signed cannot be shown.
func (s *Statement) examine() {
	var account, amount bool
	hashes := 0
	for _, m := range s.Members {
		switch {
		case isHash(m.Value):
			hashes++
		case isAccount(m.Value):
			account = true
		case isAmount(m):
			amount = true
		}
	}
	s.Moves = account && amount || s.isCut
	s.Blind = hashes > 0 && hashes == len(s.Members)
}

func isAccount(value string) bool {
	_, err := evm.ParseAddress(value)
	return err == nil
}

// isAmount reports whether a member can be an amount: a number, unless its name says that it is another one.
func isAmount(m Member) bool {
	name := strings.ToLower(m.Name[strings.LastIndexByte(m.Name, '.')+1:])
	for _, other := range []string{"nonce", "deadline", "time", "expir", "valid", "chain", "version", "salt", "support", "proposal", "choice"} {
		if strings.Contains(name, other) {
			return false
		}
	}
	o := object{"": m.Value}
	return m.Value != "" && m.Value != fmt.Sprint(nil) && o.number("") != nil
}
