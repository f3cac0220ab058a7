package solana

import (
	"encoding/binary"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// knownPrograms only do what their instructions say. Other programs run in them only as transfer hooks of Token-2022,
// which do not get the rights of a signer.
var knownPrograms = []svm.Address{
	svm.SystemProgram, svm.TokenProgram, svm.Token2022Program, svm.AssociatedTokenProgram, svm.StakeProgram, svm.ComputeBudgetProgram,
	svm.LookupTableProgram, svm.MemoProgram, svm.MemoProgramV1,
	// These verify signatures.
	svm.MustAddress("Ed25519SigVerify111111111111111111111111111"), svm.MustAddress("KeccakSecp256k11111111111111111111111111111"),
}

// stated holds the effects that follow from the instructions of well-known programs.
type stated struct {
	owner     svm.Address
	keys      []svm.Address
	before    state
	changes   []Change
	approvals []Approval
	controls  []control
	closings  []closing
	// made are accounts that receive lamports because they are created, with their owners if the instructions name
	// them.
	made map[svm.Address]svm.Address
	// nonce is the account whose durable nonce replaces the recent blockhash of the transaction; nil if it has none.
	nonce *svm.Address
	// unknown are the unknown programs, and signed those of them that get the owner's signature.
	unknown, signed []svm.Address
}

// statedBy decodes the instructions of a transaction. Accounts of lookup tables are known if keys has them.
func statedBy(t Transaction, k keys, before state, owner svm.Address) *stated {
	s := &stated{owner: owner, keys: k.all, before: before, made: map[svm.Address]svm.Address{}}
	if len(s.keys) == 0 {
		s.keys = t.static
	}
	for _, i := range t.instructions {
		s.read(i)
	}
	if first := t.instructions; len(first) > 0 && s.keys[first[0].program] == svm.SystemProgram && svm.NewCursor(first[0].data, 0).Uint32() == systemAdvanceNonce {
		nonce := s.at(first[0], 0)
		s.nonce = &nonce
	}
	return s
}

// at returns an account of an instruction; the zero address if it is not known.
func (s *stated) at(i instruction, n int) svm.Address {
	if n >= len(i.accounts) || i.accounts[n] >= len(s.keys) {
		return svm.Address{}
	}
	return s.keys[i.accounts[n]]
}

func (s *stated) read(i instruction) {
	switch program := s.keys[i.program]; program {
	case svm.SystemProgram:
		s.readSystem(i)
	case svm.TokenProgram, svm.Token2022Program:
		s.readToken(i)
	case svm.StakeProgram:
		s.readStake(i)
	case svm.AssociatedTokenProgram:
		if at := s.at(i, 1); at != (svm.Address{}) {
			s.made[at] = s.at(i, 2)
		}
	default:
		if slices.Contains(knownPrograms, program) {
			return
		}
		if !slices.Contains(s.unknown, program) {
			s.unknown = append(s.unknown, program)
		}
		if slices.ContainsFunc(i.accounts, func(at int) bool { return at < len(s.keys) && s.keys[at] == s.owner }) {
			s.signed = append(s.signed, program)
		}
	}
}

// Instructions of the system program that move lamports or change the control of an account.
const (
	systemCreate           = 0
	systemAssign           = 1
	systemTransfer         = 2
	systemCreateWithSeed   = 3
	systemAdvanceNonce     = 4
	systemWithdrawNonce    = 5
	systemAuthorizeNonce   = 7
	systemTransferWithSeed = 11
)

func (s *stated) readSystem(i instruction) {
	c := svm.NewCursor(i.data, 0)
	switch c.Uint32() {
	case systemCreate, systemTransfer:
		s.move(s.at(i, 0), svm.Native, c.Uint64(), s.at(i, 1))
	case systemCreateWithSeed:
		c.Skip(len(svm.Address{}))
		seed := c.Uint64()
		c.Skip(int(min(seed, MaxSize)))
		s.move(s.at(i, 0), svm.Native, c.Uint64(), s.at(i, 1))
	case systemTransferWithSeed:
		s.move(s.at(i, 0), svm.Native, c.Uint64(), s.at(i, 2))
	case systemWithdrawNonce:
		s.withdraw(i, c.Uint64())
	case systemAuthorizeNonce:
		if to := c.Address(); c.Err() == nil {
			s.authorize(s.at(i, 0), s.at(i, 1), to)
		}
	case systemAssign:
		if program := c.Address(); c.Err() == nil && s.at(i, 0) == s.owner && program != svm.SystemProgram {
			s.controls = append(s.controls, control{kind: walletTaken, of: s.owner, to: program})
		}
	}
}

// Instructions of the stake program that move lamports out of an account or change who may do so.
const (
	stakeAuthorize        = 1
	stakeWithdraw         = 4
	stakeAuthorizeChecked = 10
	withdrawAuthority     = 1
)

func (s *stated) readStake(i instruction) {
	c := svm.NewCursor(i.data, 0)
	switch c.Uint32() {
	case stakeWithdraw:
		s.withdraw(i, c.Uint64())
	case stakeAuthorize:
		if to, kind := c.Address(), c.Uint32(); c.Err() == nil && kind == withdrawAuthority {
			s.authorize(s.at(i, 0), s.at(i, 2), to)
		}
	case stakeAuthorizeChecked:
		if kind := c.Uint32(); c.Err() == nil && kind == withdrawAuthority {
			s.authorize(s.at(i, 0), s.at(i, 2), s.at(i, 3))
		}
	}
}

// withdraw decodes a withdrawal from a stake account or a durable nonce account, whose instructions have the accounts
// in the same order.
func (s *stated) withdraw(i instruction, amount uint64) {
	from, to, authority := s.at(i, 0), s.at(i, 1), s.at(i, 4)
	if authority == s.owner && to != s.owner {
		from = s.owner
	}
	s.move(from, svm.Native, amount, to)
}

// authorize records that another account may withdraw from an account.
func (s *stated) authorize(of, authority, to svm.Address) {
	if authority == s.owner && to != s.owner {
		s.controls = append(s.controls, control{kind: stakeTaken, of: of, to: to})
	}
}

// The instructions of both token programs, by their first byte.
const (
	tokenTransfer        = 3
	tokenApprove         = 4
	tokenRevoke          = 5
	tokenSetAuthority    = 6
	tokenBurn            = 8
	tokenClose           = 9
	tokenTransferChecked = 12
	tokenApproveChecked  = 13
	tokenBurnChecked     = 15
	tokenTransferFee     = 26
	transferWithFee      = 1
)

func (s *stated) readToken(i instruction) {
	if len(i.data) == 0 {
		return
	}
	amount := func(from int) uint64 {
		if len(i.data) < from+8 {
			return 0
		}
		return binary.LittleEndian.Uint64(i.data[from:])
	}
	switch i.data[0] {
	case tokenTransfer:
		s.moveTokens(s.at(i, 0), svm.Address{}, amount(1), s.at(i, 1), s.at(i, 2))
	case tokenTransferChecked:
		s.moveTokens(s.at(i, 0), s.at(i, 1), amount(1), s.at(i, 2), s.at(i, 3))
	case tokenTransferFee:
		if len(i.data) > 1 && i.data[1] == transferWithFee {
			s.moveTokens(s.at(i, 0), s.at(i, 1), amount(2), s.at(i, 2), s.at(i, 3))
		}
	case tokenBurn, tokenBurnChecked:
		s.moveTokens(s.at(i, 0), s.at(i, 1), amount(1), svm.Address{}, s.at(i, 2))
	case tokenApprove:
		s.approve(s.at(i, 0), svm.Address{}, s.at(i, 1), s.at(i, 2), amount(1))
	case tokenApproveChecked:
		s.approve(s.at(i, 0), s.at(i, 1), s.at(i, 2), s.at(i, 3), amount(1))
	case tokenRevoke:
		if h := s.holder(s.at(i, 0), svm.Address{}, s.at(i, 1)); h != nil && h.Delegate != nil {
			s.approvals = append(s.approvals, Approval{Mint: h.Mint, Spender: *h.Delegate, Revoked: true, of: s.at(i, 0)})
		}
	case tokenSetAuthority:
		s.setAuthority(i)
	case tokenClose:
		if h := s.holder(s.at(i, 0), svm.Address{}, s.at(i, 2)); h != nil {
			s.closings = append(s.closings, closing{of: s.at(i, 0), to: s.at(i, 1)})
		}
	}
}

// holder returns a token account of the owner; nil for a token account of another owner. An unknown account counts as
// the owner's if the owner is its authority.
func (s *stated) holder(at, mint, authority svm.Address) *holder {
	if h := s.before[at].holder; h != nil {
		if h.Owner != s.owner {
			return nil
		}
		return h
	}
	if authority != s.owner {
		return nil
	}
	return &holder{TokenAccount: svm.TokenAccount{Mint: mint, Owner: s.owner}}
}

// ownerOf returns the owner of a token account, or the account itself if the owner is not known.
func (s *stated) ownerOf(at svm.Address) svm.Address {
	if h := s.before[at].holder; h != nil {
		return h.Owner
	}
	if owner, isMade := s.made[at]; isMade {
		return owner
	}
	return at
}

func (s *stated) move(from, mint svm.Address, amount uint64, to svm.Address) {
	if from == to || amount == 0 || from != s.owner && to != s.owner {
		return
	}
	c := Change{Mint: mint, Outgoing: from == s.owner, Amount: amount, Other: from}
	if c.Outgoing {
		c.Other = to
	}
	isSame := func(k Change) bool { return k.Mint == c.Mint && k.Outgoing == c.Outgoing && k.Other == c.Other }
	if i := slices.IndexFunc(s.changes, isSame); i >= 0 && s.changes[i].Amount+amount > amount {
		s.changes[i].Amount += amount
		return
	}
	s.changes = append(s.changes, c)
}

func (s *stated) moveTokens(source, mint svm.Address, amount uint64, destination, authority svm.Address) {
	from := s.ownerOf(source)
	if h := s.holder(source, mint, authority); h != nil {
		from, mint = s.owner, h.Mint
	} else if h := s.before[source].holder; h != nil {
		mint = h.Mint
	}
	if mint != (svm.Address{}) {
		s.move(from, mint, amount, s.ownerOf(destination))
	}
}

func (s *stated) approve(source, mint, delegate, authority svm.Address, amount uint64) {
	if h := s.holder(source, mint, authority); h != nil {
		s.approvals = append(s.approvals, Approval{Mint: h.Mint, Spender: delegate, Amount: amount, Revoked: amount == 0, of: source})
	}
}

// setAuthority decodes a change of an account's authority.
func (s *stated) setAuthority(i instruction) {
	const accountOwner, closeAccount = 2, 3
	c := svm.NewCursor(i.data, 1)
	kind, isSet, to := c.Uint8(), c.Uint8() == 1, svm.Address{}
	if isSet {
		to = c.Address()
	}
	of := s.at(i, 0)
	if c.Err() != nil || s.at(i, 1) != s.owner || to == s.owner {
		return
	}
	switch {
	case kind == accountOwner:
		s.controls = append(s.controls, control{kind: holderTaken, of: of, to: to})
	case kind == closeAccount && isSet:
		s.controls = append(s.controls, control{kind: closeGiven, of: of, to: to})
	case kind != closeAccount && isSet:
		s.controls = append(s.controls, control{kind: mintTaken, of: of, to: to})
	case kind != closeAccount:
		s.controls = append(s.controls, control{kind: mintFixed, of: of})
	}
}

// covers reports whether the instructions account for an amount that leaves, including the rent of an account that they
// create.
func (s *stated) covers(c Change, after state) bool {
	var most uint64
	if _, isMade := s.made[c.Other]; isMade && c.Mint == svm.Native && s.before[c.Other].lamports == 0 {
		most = rentOf(after[c.Other])
	}
	return c.Amount <= most || slices.ContainsFunc(s.changes, func(k Change) bool {
		return k.Outgoing && k.Mint == c.Mint && k.Other == c.Other && (k.Amount >= c.Amount || c.Amount-k.Amount <= most)
	})
}

// rentOf returns the minimum lamports of an account with its size.
func rentOf(a account) uint64 {
	const overhead, lamportsPerByte = 128, 6960
	return (overhead + uint64(a.size)) * lamportsPerByte
}
