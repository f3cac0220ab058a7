// Package paymaster signs for a VerifyingPaymaster, which pays for user operations (ERC-7677), and bounds what the operator pays in a day.
package paymaster

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

// Gas of the paymaster, which verifies one signature and does nothing after the call.
const (
	VerificationGas = 100_000
	PostOpGas       = 50_000
)

// lifetime is how long a signature of the paymaster is valid.
const lifetime = 10 * time.Minute

// ErrRefused is returned for an operation that the paymaster does not pay for.
var ErrRefused = errors.New("the paymaster does not pay for this user operation")

var (
	times  = calldata.Types("(uint48,uint48)")
	hashed = calldata.Types("(address,uint256,bytes32,bytes32,bytes32,uint256,uint256,bytes32,uint256,address,uint48,uint48)")
)

// Config is the configuration of the paymaster.
type Config struct {
	// Signer is the private key of the paymaster's verifying signer.
	Signer string `yaml:"signer" doc:"private key, 64 hex digits, of the signer of the VerifyingPaymaster; empty: nothing is paid for" secret:"true"`
	// Projects are the projects whose operations are sponsored; [AllProjects] for all.
	Projects []string `yaml:"projects" doc:"ids of the projects whose user operations, and removals of delegations, are paid for, or \"*\" for all; none by default"`
	// ProjectPerDay and AccountPerDay bound the sum of the costs that are signed for in a day (UTC), in wei, decimal.
	ProjectPerDay string `yaml:"project_wei_per_day" doc:"wei that is paid at most for the user operations of a project, and for the removal of the delegations of its accounts, on one chain in a day (UTC); must be set with signer"`
	AccountPerDay string `yaml:"account_wei_per_day" doc:"wei that is paid at most for the user operations of an account, and for the removal of its delegations, on one chain in a day (UTC); must be set with signer"`
	// Name and Icon describe the sponsor.
	Name string `yaml:"name" doc:"name of the sponsor, which wallets show"`
	Icon string `yaml:"icon" doc:"picture of the sponsor as a data: URL, which wallets show; empty for none"`
}

// AllProjects stands for every project in [Config.Projects].
const AllProjects = "*"

// Store stores sponsorships. One operation of an account and a nonce can be executed, so they are settled by these.
type Store interface {
	// AddSponsorship stores a signature, and counts its cost for the day on which it was signed. If allowed returns false, nothing is stored, and the error is
	// [ErrRefused]. Of several of an account and a nonce that were not sent, the highest cost counts, until the last of them expires.
	AddSponsorship(ctx context.Context, s Sponsorship, allowed func(b Budget) bool) error
	// SpendSponsorship records that an operation was sent, or executed by others.
	SpendSponsorship(ctx context.Context, chainID string, account evm.Address, nonce *big.Int) error
	// ReleaseSponsorship gives back what was counted for an operation that was not sent and cannot be executed any more.
	ReleaseSponsorship(ctx context.Context, chainID string, account evm.Address, nonce *big.Int) error
	// ExpiredSponsorships returns the oldest sponsorships whose signatures ended before a time and whose operations were not sent.
	ExpiredSponsorships(ctx context.Context, chainID string, before time.Time, limit int) ([]Sponsorship, error)
}

// Budget is what counts for a day with a new sponsorship.
type Budget struct {
	// Project is what was signed for the project, and Account what was sent of the account, in wei.
	Project, Account *big.Int
	// Open are the sponsorships that the caller requested on the chain and that were not sent.
	Open int
}

// maxOpen bounds the sponsorships of one caller that were not sent.
const maxOpen = 30

// Sponsorship is what the paymaster may pay for one operation.
type Sponsorship struct {
	ChainID string
	// Hash is what the paymaster signed.
	Hash    common.Hash
	Project string
	// Caller identifies who requested it: a hash of the address.
	Caller  string
	Account evm.Address
	// Nonce is that of the account at the EntryPoint.
	Nonce           *big.Int
	Signed, Expires time.Time
	// MaxCost is in wei.
	MaxCost *big.Int
}

// Paymaster signs for operations.
type Paymaster struct {
	key            account.Key
	projects       []string
	project, payee *big.Int
	store          Store
	clock          clock.Clock
	config         Config
}

// New returns a paymaster, and nil if the configuration has no signer.
func New(cfg Config, store Store, c clock.Clock) (*Paymaster, error) {
	if cfg.Signer == "" {
		return nil, nil
	}
	key, err := account.ParseKey(cfg.Signer)
	if err != nil {
		return nil, err
	}
	p := &Paymaster{key: key, projects: cfg.Projects, project: new(big.Int), payee: new(big.Int), store: store, clock: c, config: cfg}
	p.project.SetString(cfg.ProjectPerDay, 10)
	p.payee.SetString(cfg.AccountPerDay, 10)
	return p, nil
}

// Pays reports whether operations of a project may be sponsored.
func (p *Paymaster) Pays(project string) bool {
	return p != nil && (slices.Contains(p.projects, AllProjects) || slices.Contains(p.projects, project))
}

// Allows reports whether what is paid in a day, in wei, is within the limits: of a project, and of an account.
func (p *Paymaster) Allows(project, account *big.Int) bool {
	return project.Cmp(p.project) <= 0 && account.Cmp(p.payee) <= 0
}

// Sponsor is the name and picture of the sponsor.
type Sponsor struct {
	Name string `json:"name"`
	Icon string `json:"icon,omitempty"`
}

// Sponsor returns the sponsor.
func (p *Paymaster) Sponsor() Sponsor { return Sponsor{p.config.Name, p.config.Icon} }

// dummy is a well-formed signature that is not valid for any signer.
var dummy = append(common.Hex2Bytes("fffffffffffffffffffffffffffffff0000000000000000000000000000000007aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), 0x1c)

// StubData returns paymasterData of the final length for the estimation of gas.
func (p *Paymaster) StubData() []byte {
	until := p.clock.Now().Add(lifetime).Unix()
	return append(times.Write(until, 0), dummy...)
}

// Data returns signed paymasterData of an operation whose gas and fees are final and bounded, for the VerifyingPaymaster at an address. It fails with
// [ErrRefused] over a limit.
func (p *Paymaster) Data(ctx context.Context, who caller.Caller, chainID string, number *big.Int, contract evm.Address, o *userop.Operation) ([]byte, error) {
	if !p.Pays(who.Project) {
		return nil, ErrRefused
	}
	now := p.clock.Now()
	until := now.Add(lifetime).Unix()
	final := *o
	final.Paymaster = contract.Bytes()
	final.PaymasterVerificationGasLimit, final.PaymasterPostOpGasLimit = userop.NewQuantity(VerificationGas), userop.NewQuantity(PostOpGas)
	final.PaymasterData = nil
	hash := hashOf(&final, number, contract, until)
	signature := p.key.Sign([32]byte(accounts.TextHash(hash[:])))
	signature[64] += 27
	sponsored := Sponsorship{
		ChainID: chainID, Hash: hash, Project: who.Project, Caller: callerHash(who), Account: o.Sender, Nonce: o.Nonce.ToBig(), Signed: now,
		Expires: time.Unix(until, 0), MaxCost: final.MaxCost(),
	}
	allowed := func(b Budget) bool {
		return p.Allows(b.Project, b.Account) && b.Open <= maxOpen
	}
	return append(times.Write(until, 0), signature...), p.store.AddSponsorship(ctx, sponsored, allowed)
}

// callerHash returns a text that identifies a caller without telling the address.
func callerHash(who caller.Caller) string {
	return hexutil.Encode(crypto.Keccak256([]byte("caller"), []byte(who.Project), []byte(who.Address))[:16])
}

// Spend records that an operation which may be sponsored was sent.
func (p *Paymaster) Spend(ctx context.Context, chainID string, o *userop.Operation) error {
	if p == nil || len(o.Paymaster) == 0 {
		return nil
	}
	return p.store.SpendSponsorship(ctx, chainID, o.Sender, o.Nonce.ToBig())
}

// hashOf returns the result of getHash of VerifyingPaymaster v0.7.
func hashOf(o *userop.Operation, number *big.Int, contract evm.Address, until int64) common.Hash {
	gas := new(big.Int).SetBytes(o.PaymasterAndData()[common.AddressLength : common.AddressLength+32])
	return crypto.Keccak256Hash(hashed.Write(o.Sender, o.Nonce.ToBig(), [32]byte(crypto.Keccak256(o.InitCode())), [32]byte(crypto.Keccak256(o.CallData)),
		o.GasLimits(), gas, o.PreVerificationGas.ToBig(), o.GasFees(), number, contract, until, 0))
}
