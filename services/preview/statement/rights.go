package statement

import (
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/preview/effect"
)

// authorization reads a transfer of EIP-3009, which the receiver or anyone can send.
func (s *Statement) authorization(m object) {
	to, value := m.address("to"), m.number("value")
	if to == nil || s.Contract == nil {
		return
	}
	a := effect.Approval{Asset: effect.Asset{Kind: effect.ERC20, Contract: *s.Contract}, Spender: *to, Once: true}
	if value != nil {
		a.Amount, a.Revoked = effect.Limit(value), value.Sign() == 0
	}
	a.Expires = m.expiry("validBefore")
	s.Kind, s.Approvals = Permit, append(s.Approvals, a)
}

// permitForAll reads a permit for every token of a collection.
func (s *Statement) permitForAll(m object) {
	operator := m.address("operator")
	if operator == nil || s.Contract == nil {
		return
	}
	approved, isRead := m["approved"].(bool)
	a := effect.Approval{Asset: effect.Asset{Kind: effect.ERC721, Contract: *s.Contract}, Spender: *operator, Revoked: isRead && !approved}
	s.Kind, s.Approvals = Permit, append(s.Approvals, a)
}

// manager reads an authorization of a lender: of Compound, which names a manager, and of Morpho, which names the authorized account.
func (s *Statement) manager(m object) {
	for member, flag := range map[string]string{"manager": "isAllowed", "authorized": "isAuthorized"} {
		to := m.address(member)
		if m[member] == nil || to == nil || s.Contract == nil {
			continue
		}
		allowed, isRead := m[flag].(bool)
		s.Kind, s.Rights = Authorization, append(s.Rights, effect.Right{Kind: effect.Acts, Contract: *s.Contract, To: *to, Revoked: isRead && !allowed})
	}
}

// borrower reads a delegation of credit of Aave. An amount that cannot be read counts as one.
func (s *Statement) borrower(m object) {
	to, value := m.address("delegatee"), m.number("value")
	if to == nil || s.Contract == nil {
		return
	}
	s.Kind, s.Rights = Authorization, append(s.Rights, effect.Right{Kind: effect.Borrows, Contract: *s.Contract, To: *to, Revoked: value != nil && value.Sign() == 0})
}

// delegation reads a delegation of the Delegation Framework. One that names a delegatee is of votes.
func (s *Statement) delegation(m object) {
	if m["delegate"] == nil && m["delegatee"] != nil && m["caveats"] == nil {
		return
	}
	s.Kind, s.Delegate = Delegation, m.address("delegate")
	for _, caveat := range m.objects("caveats") {
		if enforcer := caveat.address("enforcer"); enforcer != nil {
			s.Enforcers = append(s.Enforcers, *enforcer)
		}
	}
}

// userOperation reads a user operation (ERC-4337). One of another account than the one that signs may be of a contract that accepts its signature.
func (s *Statement) userOperation(account evm.Address, m object) {
	s.Kind, s.Holder = Operation, m.address("sender")
	s.IsForeign = s.Holder == nil || *s.Holder != account
}
