package bundler

import (
	"context"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

const (
	// metricFunds is what the executors and the paymaster have to pay with, in whole native tokens, by attrChain, attrAccount and attrRole.
	metricFunds = "hawser.bundler.funds"
	attrChain   = "chain"
	attrAccount = "account"
	attrRole    = "role"

	roleExecutor  = "executor"
	rolePaymaster = "paymaster"
)

// weiDigits is how many decimal places a native token has on EVM chains.
const weiDigits = 18

var depositOf = calldata.Parse("balanceOf(address)")

// funds is what an account has to pay with, in wei: the balance of an executor, and the deposit of the paymaster at the EntryPoint.
type funds struct {
	account evm.Address
	role    string
	wei     *big.Int
}

// readFunds returns the funds of a chain.
func (s *server) readFunds(ctx context.Context, chainID string) (read []funds, err error) {
	var calls []chainclient.Call
	if x := s.executor.Load(); x != nil {
		for _, address := range x.Addresses() {
			read = append(read, funds{account: address, role: roleExecutor})
			calls = append(calls, chainclient.Call{Method: "eth_getBalance", Params: []any{address, "latest"}})
		}
	}
	if s.cfg.Paymaster.Signer != "" {
		n, err := s.endpoint.Networks.Of(ctx, chainID)
		if err != nil {
			return nil, err
		}
		if n.Paymaster != (evm.Address{}) {
			read = append(read, funds{account: n.Paymaster, role: rolePaymaster})
			calls = append(calls, chainclient.Call{Method: "eth_call", Params: []any{
				map[string]any{"to": userop.EntryPoint07, "data": hexutil.Bytes(depositOf.Write(n.Paymaster))}, "latest",
			}})
		}
	}
	if len(calls) == 0 {
		return nil, nil
	}
	results, err := s.deps.Chain.Transport(chainID).Batch(ctx, calls...)
	if err != nil {
		return nil, err
	}
	for i := range read {
		if read[i].role == roleExecutor {
			read[i].wei, err = results[i].Quantity()
		} else {
			var word []byte
			word, err = results[i].Bytes()
			if err == nil && len(word) != 32 {
				err = chainclient.ErrAnswer
			}
			read[i].wei = new(big.Int).SetBytes(word)
		}
		if err != nil {
			return nil, err
		}
	}
	return read, nil
}

// watchFunds exports the funds of a chain until ctx ends.
func (s *server) watchFunds(ctx context.Context, chainID string, gauge metric.Float64Gauge) error {
	for {
		pause := fundsInterval
		if err := s.measureFunds(ctx, chainID, gauge); err != nil {
			s.deps.Log.DebugContext(ctx, "funds of the bundler not read", attrChain, chainID, "error", err)
			pause = fundsRetry
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// measureFunds exports the funds of a chain.
func (s *server) measureFunds(ctx context.Context, chainID string, gauge metric.Float64Gauge) error {
	reading, cancel := context.WithTimeout(ctx, fundsTimeout)
	defer cancel()
	read, err := s.readFunds(reading, chainID)
	if err != nil {
		return err
	}
	for _, f := range read {
		gauge.Record(ctx, tokens(f.wei), metric.WithAttributes(
			attribute.String(attrChain, chainID), attribute.String(attrAccount, f.account.String()), attribute.String(attrRole, f.role)))
	}
	return nil
}

// newFundsGauge returns the instrument of the funds.
func newFundsGauge() metric.Float64Gauge {
	// After an error the instrument exports nothing. That must not stop the service.
	gauge, err := otel.Meter("github.com/hawser-dev/hawser").Float64Gauge(metricFunds, metric.WithDescription("What executors and the paymaster have to pay with, in native tokens"))
	if err != nil {
		otel.Handle(err)
	}
	return gauge
}

// tokens returns wei as whole tokens, rounded: only metrics have them so.
func tokens(wei *big.Int) float64 {
	whole, _ := new(big.Rat).SetFrac(wei, new(big.Int).Exp(big.NewInt(10), big.NewInt(weiDigits), nil)).Float64()
	return whole
}
