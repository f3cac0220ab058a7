package solana

import (
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onchain/svm/pool"
)

// program is a well-known program.
type program struct {
	name string
	// swaps is set for exchanges and their aggregators.
	swaps bool
}

// programs are the well-known programs that a history shows by name. They have the same addresses on every network.
var programs = map[svm.Address]program{
	svm.MustAddress("JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"): {"Jupiter", true},
	svm.MustAddress("JUP4Fb2cqiRUcaTHdrPC8h2gNsA2ETXiPDD33WcGuJB"): {"Jupiter", true},
	pool.RaydiumV4:   {"Raydium", true},
	pool.RaydiumCPMM: {"Raydium", true},
	pool.RaydiumCLMM: {"Raydium", true},
	pool.Whirlpool:   {"Orca", true},
	svm.MustAddress("9W959DqEETiGZocYWCQPaJ6sBmUzgfxXfqGeTEdp3aQP"): {"Orca", true},
	svm.MustAddress("LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo"):  {"Meteora", true},
	svm.MustAddress("Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB"): {"Meteora", true},
	svm.MustAddress("cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG"):  {"Meteora", true},
	svm.MustAddress("6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P"):  {"Pump.fun", true},
	svm.MustAddress("pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA"):  {"PumpSwap", true},
	svm.MustAddress("MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD"):  {name: "Marinade"},
	svm.MustAddress("dRiftyHA39MWEi3m9aunc5MzRF1JYuBsbn6VPcn33UH"):  {name: "Drift"},
	svm.MustAddress("SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf"):  {name: "Squads"},
	svm.MetadataProgram: {name: "Metaplex"},
	svm.StakeProgram:    {name: "Stake program"},
	svm.MustAddress("Vote111111111111111111111111111111111111111"): {name: "Vote program"},
	svm.LookupTableProgram: {name: "Lookup tables"},
	svm.MustAddress("BPFLoaderUpgradeab1e11111111111111111111111"): {name: "Program loader"},
}

// plain are the programs of simple transfers.
var plain = map[svm.Address]bool{
	svm.SystemProgram: true, svm.TokenProgram: true, svm.Token2022Program: true, svm.AssociatedTokenProgram: true, svm.ComputeBudgetProgram: true, svm.MemoProgram: true,
	svm.MemoProgramV1: true,
}
