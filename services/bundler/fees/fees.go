// Package fees knows what networks charge for the transaction of a user operation beside the gas that its code uses: for its data, by the rules of the
// network's fork, and what rollups charge for data on L1.
package fees

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"go.yaml.in/yaml/v3"

	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

// ErrUnknown is returned for a network whose charges are not known.
var ErrUnknown = errors.New("what the network charges for a transaction is not known")

// entryPointGas is the gas of an EntryPoint for one operation that the EntryPoint does not measure.
const entryPointGas = 20_000

// Model is how a network charges for what gas does not pay for.
type Model string

const (
	// OnlyGas is for networks that charge only for gas.
	OnlyGas Model = "gas"
	// OPStack is for networks that charge wei in addition to gas, for data on L1 and for the operator.
	OPStack Model = "op-stack"
	// Scroll is for networks that charge wei in addition to gas, for data on L1.
	Scroll Model = "scroll"
	// Arbitrum is for networks that charge gas for data on L1.
	Arbitrum Model = "arbitrum"
)

// models are all models.
var models = []Model{OnlyGas, OPStack, Scroll, Arbitrum}

// Gas are the rules of a fork, in gas.
type Gas struct {
	// Transaction is the gas of a transaction without data and code.
	Transaction uint64 `yaml:"transaction" doc:"gas of a transaction without data and code"`
	// ZeroByte and OtherByte are the gas of a byte of data (EIP-2028).
	ZeroByte  uint64 `yaml:"zero_byte" doc:"gas of a byte of data that is zero (EIP-2028)"`
	OtherByte uint64 `yaml:"other_byte" doc:"gas of any other byte of data (EIP-2028)"`
	// FloorZeroByte and FloorOtherByte are the least gas of a byte of data in a transaction whose code uses little (EIP-7623).
	FloorZeroByte  uint64 `yaml:"floor_zero_byte" doc:"least gas of a byte of data that is zero (EIP-7623)"`
	FloorOtherByte uint64 `yaml:"floor_other_byte" doc:"least gas of any other byte of data (EIP-7623)"`
	// Authorization is the gas of an authorization of a new account (EIP-7702), including the write of its code.
	Authorization uint64 `yaml:"authorization" doc:"gas of an authorization of a new account (EIP-7702)"`
	// Most is the most gas that a transaction may have (EIP-7825).
	Most uint64 `yaml:"most" doc:"most gas of one transaction (EIP-7825)"`
}

// Rules are what a network charges.
type Rules struct {
	Model Model
	Gas   Gas
	// LeastTip is the priority fee per gas below which nodes refuse a transaction, in wei.
	LeastTip uint64
}

//go:embed fees.yaml
var raw []byte

// table is fees.yaml.
var table = func() (t struct {
	Gas      map[string]Gas `yaml:"gas"`
	Networks map[string]struct {
		Model    Model  `yaml:"model"`
		Gas      string `yaml:"gas"`
		LeastTip uint64 `yaml:"least_tip"`
	} `yaml:"networks"`
}) {
	decoder := yaml.NewDecoder(bytes.NewReader(raw))
	decoder.KnownFields(true)
	if err := decoder.Decode(&t); err != nil {
		panic("fees.yaml: " + err.Error())
	}
	for id, n := range t.Networks {
		if _, ok := t.Gas[n.Gas]; !ok || !n.Model.IsKnown() {
			panic("fees.yaml: " + id)
		}
	}
	return t
}()

// newestFork has the rules of a network that is not in the table but whose model is configured.
const newestFork = "osaka"

// IsKnown reports whether the model is one of this package.
func (m Model) IsKnown() bool { return slices.Contains(models, m) }

// Of returns the rules of a network by its CAIP-2 id. model and gas are those of the configuration, and take precedence where they are not empty or 0.
// It fails with [ErrUnknown].
func Of(chainID string, model Model, gas Gas) (Rules, error) {
	known, ok := table.Networks[chainID]
	switch {
	case ok:
	case model != "":
		known.Gas = newestFork
	default:
		return Rules{}, fmt.Errorf("%w: %s", ErrUnknown, chainID)
	}
	r := Rules{Model: known.Model, Gas: table.Gas[known.Gas], LeastTip: known.LeastTip}
	if model != "" {
		r.Model = model
	}
	for _, set := range []struct {
		to   *uint64
		from uint64
	}{
		{&r.Gas.Transaction, gas.Transaction}, {&r.Gas.ZeroByte, gas.ZeroByte}, {&r.Gas.OtherByte, gas.OtherByte}, {&r.Gas.FloorZeroByte, gas.FloorZeroByte},
		{&r.Gas.FloorOtherByte, gas.FloorOtherByte}, {&r.Gas.Authorization, gas.Authorization}, {&r.Gas.Most, gas.Most},
	} {
		if set.from != 0 {
			*set.to = set.from
		}
	}
	return r, nil
}

// PreVerification returns the least preVerificationGas that pays for the transaction of an operation, without what a rollup charges for data on L1.
// The EntryPoint charges for the code that runs in addition, so it also pays if that code uses almost nothing and the floor applies.
func (g Gas) PreVerification(o *userop.Operation) uint64 {
	standard, floor := g.Data(o.HandleOps(common.MaxAddress))
	standard += entryPointGas
	if o.Authorization != nil {
		standard += g.Authorization
	}
	return g.Transaction + max(standard, floor)
}

// Removal returns the gas of a transaction with one authorization and nothing else.
func (g Gas) Removal() uint64 { return g.Transaction + g.Authorization }

// Data returns the gas of a transaction's data, and the least that a transaction with the data uses beside [Gas.Transaction].
func (g Gas) Data(data []byte) (standard, floor uint64) {
	zero := uint64(bytes.Count(data, []byte{0})) //nolint:gosec // a count is not negative
	other := uint64(len(data)) - zero
	return zero*g.ZeroByte + other*g.OtherByte, zero*g.FloorZeroByte + other*g.FloorOtherByte
}
