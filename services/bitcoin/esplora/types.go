package esplora

import "errors"

// Errors of requests.
var (
	// ErrUnavailable is returned if no server of the network answers.
	ErrUnavailable = errors.New("no server of the network answers")
	// ErrUnknown is returned if no server has the transaction.
	ErrUnknown = errors.New("no server has the transaction")
)

// RefusedError is the text with which a server refuses a request or a transaction.
type RefusedError struct{ Text string }

// Error returns the text of the server.
func (e *RefusedError) Error() string { return e.Text }

// Balance is what an address holds, in satoshis.
type Balance struct {
	// Confirmed is the balance in blocks. Pending is the change by unconfirmed transactions.
	Confirmed, Pending int64
}

// UnspentOutput is an output that can be spent.
type UnspentOutput struct {
	TransactionID string `json:"txid"`
	Index         uint32 `json:"vout"`
	Value         int64  `json:"value"`
	Status        Status `json:"status"`
}

// Status says whether a transaction is in a block, and in which.
type Status struct {
	Confirmed bool   `json:"confirmed"`
	Height    uint64 `json:"block_height"`
	// Time is the time of the block, in seconds since 1970.
	Time int64 `json:"block_time"`
}

// Transaction is a transaction with the outputs that it spends.
type Transaction struct {
	ID      string   `json:"txid"`
	Inputs  []Input  `json:"vin"`
	Outputs []Output `json:"vout"`
	// Fee is in satoshis.
	Fee    int64  `json:"fee"`
	Status Status `json:"status"`
}

// Input is an input of a transaction.
type Input struct {
	// Output is the spent output; nil for the reward of a miner.
	Output *Output `json:"prevout"`
}

// Output is an output of a transaction.
type Output struct {
	// Address is empty for a script without one.
	Address string `json:"scriptpubkey_address"`
	// Value is in satoshis.
	Value int64 `json:"value"`
}
