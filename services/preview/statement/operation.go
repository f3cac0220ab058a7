package statement

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/simulation"
)

// safe reads a transaction of a Safe, which is the contract of the domain. Anyone can send it once enough owners signed.
func (s *Statement) safe(m object) {
	s.Kind, s.Holder = Operation, s.Contract
	to, operation := m.address("to"), m.number("operation")
	switch {
	case s.Contract == nil || to == nil:
		s.UnknownCall = true
	case operation == nil || operation.Sign() != 0: // a delegate call, unless it is certain that it is none
		s.UnknownCode = to
	default:
		s.call(*s.Contract, simulation.Call{To: to, Value: m.number("value"), Data: m.bytes("data")})
	}
	s.refund(m)
}

var (
	executeUserOp       = calldata.Parse("executeUserOp(address,uint256,bytes,uint8)")
	executeUserOpReason = calldata.Parse("executeUserOpWithErrorString(address,uint256,bytes,uint8)")
)

// safeOperation reads a user operation of a Safe, whose call is an argument of its module.
func (s *Statement) safeOperation(m object) {
	s.Kind, s.Holder = Operation, m.address("safe")
	if s.Holder == nil {
		s.UnknownCall = true
		return
	}
	for _, f := range []calldata.Function{executeUserOp, executeUserOpReason} {
		v, ok := f.Read(m.bytes("callData"))
		if !ok {
			continue
		}
		to := v.At(0).Address()
		if v.At(3).Int().Sign() != 0 {
			s.UnknownCode = &to
		} else {
			s.call(*s.Holder, simulation.Call{To: &to, Value: v.At(1).Int(), Data: v.At(2).Bytes()})
		}
		return
	}
	s.UnknownCall = true
}

// refund adds the payment by which a Safe refunds the cost of gas: baseGas and safeTxGas, times gasPrice, in gasToken, to refundReceiver.
func (s *Statement) refund(m object) {
	price, base, gas := m.number("gasPrice"), m.number("baseGas"), m.number("safeTxGas")
	if price == nil || base == nil || gas == nil || price.Sign() == 0 {
		return
	}
	change := effect.Change{Asset: effect.Asset{Kind: effect.Native}, Outgoing: true, Amount: new(big.Int).Mul(price, new(big.Int).Add(base, gas))}
	if token := m.address("gasToken"); token != nil && *token != (evm.Address{}) {
		change.Asset = effect.Asset{Kind: effect.ERC20, Contract: *token}
	}
	if to := m.address("refundReceiver"); to != nil {
		change.Other = *to
	}
	if change.Amount.Sign() > 0 {
		s.Changes = append(s.Changes, change)
	}
}

// metaTransaction reads a call of the domain's contract that anyone can send in the name of the account.
func (s *Statement) metaTransaction(account evm.Address, m object) {
	if from := m.address("from"); from == nil || *from != account {
		return
	}
	s.Kind = Operation
	s.call(account, simulation.Call{To: s.Contract, Data: m.bytes("functionSignature")})
}

// call adds the effects of a call of an account.
func (s *Statement) call(of evm.Address, c simulation.Call) {
	if c.Value == nil {
		c.Value = new(big.Int)
	}
	e, known := effect.OfCall(of, c)
	s.Changes, s.Approvals = append(s.Changes, e.Changes...), append(s.Approvals, e.Approvals...)
	s.Controls, s.Rights = append(s.Controls, e.Controls...), append(s.Rights, e.Rights...)
	s.UnknownCall = !known
}

// bytes decodes a member in hex, with or without 0x. Invalid hex is returned as text, which is the call of no known function.
func (o object) bytes(name string) []byte {
	text := fmt.Sprint(o[name])
	if b, err := hex.DecodeString(strings.TrimPrefix(text, "0x")); err == nil {
		return b
	}
	return []byte(text)
}
