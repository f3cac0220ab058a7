package solana

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/svm"
)

var owner, pool, other, mint, own, theirs = addressOf(1), addressOf(2), addressOf(3), addressOf(4), addressOf(5), addressOf(6)

func holding(of svm.Address, units, lamports uint64) account {
	return account{lamports: lamports, program: svm.TokenProgram, holder: &holder{TokenAccount: svm.TokenAccount{Mint: mint, Owner: of, Units: units}}}
}

func wallet(lamports uint64) account { return account{lamports: lamports, program: svm.SystemProgram} }

// between returns a run of two states.
func between(before, after state) run {
	return run{keys: keys{writable: sorted(before, after)}, before: before, after: after}
}

func TestWhoGivesAndReceivesIsNamedWhereItIsKnown(t *testing.T) {
	fee := uint64(5000)
	for name, c := range map[string]struct {
		before, after state
		want          []Change
	}{
		"a payment to one": {
			state{owner: wallet(100_000), other: wallet(5)}, state{owner: wallet(94_000), other: wallet(1005)},
			[]Change{{svm.Native, true, 1000, other}},
		},
		"a payment to two": {
			state{owner: wallet(100_000), other: wallet(5)}, state{owner: wallet(94_000), other: wallet(705), pool: wallet(300)},
			[]Change{{svm.Native, true, 700, other}, {svm.Native, true, 300, pool}},
		},
		"a payment of two to two": {
			state{owner: wallet(100_000), own: wallet(500)}, state{owner: wallet(94_000), other: wallet(600), pool: wallet(900)},
			[]Change{{svm.Native, true, 1000, svm.Address{}}},
		},
		"tokens of which a part is withheld": {
			state{owner: wallet(5000), own: holding(owner, 100, 9), theirs: holding(other, 0, 9)}, state{own: holding(owner, 0, 9), theirs: holding(other, 98, 9)},
			[]Change{{mint, true, 100, other}},
		},
		"tokens that are burnt": {
			state{owner: wallet(5000), own: holding(owner, 100, 9)}, state{own: holding(owner, 60, 9)},
			[]Change{{mint, true, 40, svm.Address{}}},
		},
		"a transfer between accounts of the owner": {
			state{owner: wallet(5000), own: holding(owner, 100, 9), theirs: holding(owner, 0, 9)}, state{own: holding(owner, 0, 9), theirs: holding(owner, 100, 9)}, nil,
		},
		"a sale": {
			state{owner: wallet(5000), pool: wallet(80_000), own: holding(owner, 100, 9), theirs: holding(pool, 7, 9)},
			state{owner: wallet(3000), pool: wallet(77_000), own: holding(owner, 0, 9), theirs: holding(pool, 107, 9)},
			[]Change{{svm.Native, false, 3000, pool}, {mint, true, 100, pool}},
		},
	} {
		r := between(c.before, c.after)
		r.fee = &fee
		if got := changesOf(r, owner, owner); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

func TestAnAccountThatAProgramClosesIsTracedToWhomItsSOLGoes(t *testing.T) {
	fee := uint64(20)
	for name, c := range map[string]struct {
		after state
		to    svm.Address
	}{
		"to the owner":     {state{owner: wallet(2_080)}, owner},
		"to another one":   {state{owner: wallet(80), other: wallet(2_000)}, other},
		"a bit of it back": {state{owner: wallet(81), other: wallet(1_999)}, svm.Address{}},
		"more to another":  {state{owner: wallet(81), other: wallet(2_500)}, other},
		"to several parts": {state{owner: wallet(80), other: wallet(1_500), pool: wallet(500)}, svm.Address{}},
	} {
		r := between(state{owner: wallet(100), own: holding(owner, 0, 2_000)}, c.after)
		r.fee = &fee
		if got := closingsOf(r, nil, owner, owner); !slices.Equal(got, []closing{{own, c.to}}) {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

// staked returns a delegated stake account.
func staked(by svm.Address, lamports uint64) account {
	data := slices.Concat(binary.LittleEndian.AppendUint32(nil, 2), make([]byte, 40), by[:])
	return parse(own, svm.Account{Program: svm.StakeProgram, Lamports: lamports, Data: data})
}

// durable returns the account of a durable nonce.
func durable(by svm.Address, lamports uint64) account {
	data := slices.Concat([]byte{1, 0, 0, 0, 1, 0, 0, 0}, by[:], make([]byte, 40))
	return parse(own, svm.Account{Program: svm.SystemProgram, Lamports: lamports, Data: data})
}

func TestWhatTheOwnerMayWithdrawLeavesWithIt(t *testing.T) {
	for name, c := range map[string]struct {
		before, after state
		want          []Change
	}{
		"all of a stake": {
			state{owner: wallet(500), own: staked(owner, 9000), other: wallet(5)}, state{owner: wallet(500), other: wallet(9005)},
			[]Change{{svm.Native, true, 9000, other}},
		},
		"a part of a stake": {
			state{owner: wallet(500), own: staked(owner, 9000), other: wallet(5)}, state{owner: wallet(500), own: staked(owner, 2000), other: wallet(7005)},
			[]Change{{svm.Native, true, 7000, other}},
		},
		"all of a stake but one lamport": {
			state{owner: wallet(500), own: staked(owner, 9000), other: wallet(5)}, state{owner: wallet(501), other: wallet(9004)},
			[]Change{{svm.Native, true, 8999, other}},
		},
		"a durable nonce": {
			state{owner: wallet(500), own: durable(owner, 900)}, state{owner: wallet(500), other: wallet(900)}, []Change{{svm.Native, true, 900, other}},
		},
		"a stake to the owner": {
			state{owner: wallet(500), own: staked(owner, 9000)}, state{owner: wallet(9500)}, []Change{{svm.Native, false, 9000, own}},
		},
		"a stake in parts": {
			state{owner: wallet(500), own: staked(owner, 9000)}, state{owner: wallet(500), own: staked(owner, 5000), theirs: staked(owner, 4000)}, nil,
		},
		"a new stake": {
			state{owner: wallet(9500)}, state{owner: wallet(500), own: staked(owner, 9000)}, []Change{{svm.Native, true, 9000, own}},
		},
		"a stake of others": {
			state{owner: wallet(500), own: staked(pool, 9000)}, state{owner: wallet(500), other: wallet(9000)}, nil,
		},
	} {
		r := between(c.before, c.after)
		if got := changesOf(r, owner, owner); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

func TestTheOtherAccountOfAPartialStateIsNotGuessed(t *testing.T) {
	r := between(state{owner: wallet(9000)}, state{owner: wallet(1000), other: wallet(10)})
	r.isPartial = true
	if got := changesOf(r, owner, owner); !slices.Equal(got, []Change{{svm.Native, true, 10, other}, {svm.Native, true, 7990, svm.Address{}}}) {
		t.Errorf("got %+v", got)
	}
}

func TestAuthoritiesThatAProgramTakesAreFound(t *testing.T) {
	minted := func(by *svm.Address) account {
		return account{lamports: 9, program: svm.TokenProgram, mint: &svm.MintAuthorities{Mint: by}}
	}
	for name, c := range map[string]struct {
		before, after account
		want          []control
	}{
		"a stake":            {staked(owner, 9), staked(other, 9), []control{{kind: stakeTaken, of: own, to: other}}},
		"a durable nonce":    {durable(owner, 9), durable(other, 9), []control{{kind: stakeTaken, of: own, to: other}}},
		"a stake of others":  {staked(pool, 9), staked(other, 9), nil},
		"a mint":             {minted(&owner), minted(&other), []control{{kind: mintTaken, of: own}}},
		"a mint made fixed":  {minted(&owner), minted(nil), []control{{kind: mintFixed, of: own}}},
		"a token account":    {holding(owner, 7, 9), holding(other, 7, 9), []control{{kind: holderTaken, of: own, to: other, units: 7}}},
		"an unchanged stake": {staked(owner, 9), staked(owner, 9), nil},
	} {
		if got := controlsOf(between(state{own: c.before}, state{own: c.after}), owner); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}
