package bitcointest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"

	"github.com/btcsuite/btcd/blockchain"
	"github.com/btcsuite/btcd/btcutil"
	"github.com/btcsuite/btcd/chaincfg"
	"github.com/btcsuite/btcd/txscript"
	"github.com/btcsuite/btcd/wire"
)

// pageSize is how many transactions of blocks Esplora lists at once.
const pageSize = 25

// Handler serves the endpoints of Esplora that the service uses, and two additional ones: POST
// /dev/fund?address=…&satoshis=… and POST /dev/mine?blocks=….
func (n *Node) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /block-height/{height}", func(w http.ResponseWriter, r *http.Request) {
		height, err := strconv.ParseInt(r.PathValue("height"), 10, 32)
		if err != nil {
			http.Error(w, "Invalid height", http.StatusBadRequest)
			return
		}
		hash, err := n.chain.BlockHashByHeight(int32(height))
		if err != nil {
			http.Error(w, "Block not found", http.StatusNotFound)
			return
		}
		_, _ = io.WriteString(w, hash.String())
	})
	mux.HandleFunc("GET /blocks/tip/height", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, n.chain.BestSnapshot().Height)
	})
	mux.HandleFunc("GET /fee-estimates", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]float64{"1": 12.5, "2": 10.001, "6": 5, "144": 2, "1008": 1.001}, nil)
	})
	mux.HandleFunc("GET /address/{address}", n.ofAddress(func(_ *http.Request, script []byte) (any, error) { return n.stats(script), nil }))
	mux.HandleFunc("GET /address/{address}/utxo", n.ofAddress(func(_ *http.Request, script []byte) (any, error) {
		list := []map[string]any{}
		for _, o := range n.unspent(script) {
			list = append(list, map[string]any{"txid": o.tx.Hash().String(), "vout": o.index, "value": o.value, "status": o.status()})
		}
		return list, nil
	}))
	mux.HandleFunc("GET /address/{address}/txs", n.ofAddress(func(_ *http.Request, script []byte) (any, error) { return n.page(script, "", true) }))
	mux.HandleFunc("GET /address/{address}/txs/chain/{last}", n.ofAddress(func(r *http.Request, script []byte) (any, error) { return n.page(script, r.PathValue("last"), false) }))
	mux.HandleFunc("GET /tx/{id}/hex", n.ofTransaction(func(w http.ResponseWriter, r record) {
		var b bytes.Buffer
		_ = r.tx.MsgTx().Serialize(&b)
		_, _ = io.WriteString(w, hex.EncodeToString(b.Bytes()))
	}))
	mux.HandleFunc("GET /tx/{id}/status", n.ofTransaction(func(w http.ResponseWriter, r record) { answer(w, r.status(), nil) }))
	mux.HandleFunc("POST /tx", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		id, err := n.Send(string(body))
		if err != nil {
			reason, _ := json.Marshal(map[string]any{"code": -26, "message": err.Error()})
			http.Error(w, fmt.Sprintf("sendrawtransaction RPC error: %s", reason), http.StatusBadRequest)
			return
		}
		_, _ = io.WriteString(w, id)
	})
	mux.HandleFunc("POST /dev/fund", func(w http.ResponseWriter, r *http.Request) {
		satoshis, err := strconv.ParseInt(r.FormValue("satoshis"), 10, 64)
		if err == nil {
			err = n.Fund(r.FormValue("address"), satoshis)
		}
		answer(w, "funded", err)
	})
	mux.HandleFunc("POST /dev/mine", func(w http.ResponseWriter, r *http.Request) {
		blocks, err := strconv.Atoi(r.FormValue("blocks"))
		if err == nil {
			err = n.Mine(blocks)
		}
		answer(w, "mined", err)
	})
	return mux
}

func (n *Node) ofAddress(read func(r *http.Request, script []byte) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		address, err := btcutil.DecodeAddress(r.PathValue("address"), &chaincfg.RegressionNetParams)
		if err != nil {
			http.Error(w, "Invalid Bitcoin address", http.StatusBadRequest)
			return
		}
		script, err := txscript.PayToAddrScript(address)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		n.mu.Lock()
		defer n.mu.Unlock()
		body, err := read(r, script)
		answer(w, body, err)
	}
}

func (n *Node) ofTransaction(write func(w http.ResponseWriter, r record)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n.mu.Lock()
		defer n.mu.Unlock()
		all := n.all()
		i := slices.IndexFunc(all, func(known record) bool { return known.tx.Hash().String() == r.PathValue("id") })
		if i < 0 {
			http.Error(w, "Transaction not found", http.StatusNotFound)
			return
		}
		write(w, all[i])
	}
}

func answer(w http.ResponseWriter, body any, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

// all returns the transactions in blocks in their order, then those in the mempool.
func (n *Node) all() []record {
	all := slices.Clone(n.records)
	for _, d := range n.pool.TxDescs() {
		all = append(all, record{tx: d.Tx})
	}
	return all
}

// output is one output of a transaction.
type output struct {
	record
	index uint32
	value int64
}

func (r record) status() map[string]any {
	if r.height == 0 {
		return map[string]any{"confirmed": false}
	}
	return map[string]any{"confirmed": true, "block_height": r.height, "block_hash": r.block, "block_time": r.time.Unix()}
}

// outputs returns every output that pays a script, and the spending transaction of each spent output.
func (n *Node) outputs(script []byte) (paid []output, spends map[wire.OutPoint]record) {
	spends = map[wire.OutPoint]record{}
	for _, r := range n.all() {
		for i, out := range r.tx.MsgTx().TxOut {
			if bytes.Equal(out.PkScript, script) {
				paid = append(paid, output{r, uint32(i), out.Value})
			}
		}
		for _, in := range r.tx.MsgTx().TxIn {
			spends[in.PreviousOutPoint] = r
		}
	}
	return paid, spends
}

func (n *Node) unspent(script []byte) (left []output) {
	paid, spends := n.outputs(script)
	for _, o := range paid {
		if _, spent := spends[wire.OutPoint{Hash: *o.tx.Hash(), Index: o.index}]; !spent {
			left = append(left, o)
		}
	}
	return left
}

func (n *Node) stats(script []byte) any {
	type sums struct {
		FundedCount int   `json:"funded_txo_count"`
		FundedSum   int64 `json:"funded_txo_sum"`
		SpentCount  int   `json:"spent_txo_count"`
		SpentSum    int64 `json:"spent_txo_sum"`
	}
	var chain, pool sums
	of := func(r record) *sums {
		if r.height == 0 {
			return &pool
		}
		return &chain
	}
	paid, spends := n.outputs(script)
	for _, o := range paid {
		s := of(o.record)
		s.FundedCount, s.FundedSum = s.FundedCount+1, s.FundedSum+o.value
		if spend, ok := spends[wire.OutPoint{Hash: *o.tx.Hash(), Index: o.index}]; ok {
			s := of(spend)
			s.SpentCount, s.SpentSum = s.SpentCount+1, s.SpentSum+o.value
		}
	}
	return map[string]any{"chain_stats": chain, "mempool_stats": pool}
}

// page lists the transactions of a script, newest first: those in the mempool if withPool is set, then those in blocks
// before the transaction last.
func (n *Node) page(script []byte, last string, withPool bool) ([]any, error) {
	all := n.all()
	before := map[wire.OutPoint]*wire.TxOut{}
	for _, r := range all {
		for i, out := range r.tx.MsgTx().TxOut {
			before[wire.OutPoint{Hash: *r.tx.Hash(), Index: uint32(i)}] = out
		}
	}
	page, confirmed, begun := []any{}, 0, last == ""
	for _, r := range slices.Backward(all) {
		touched := slices.ContainsFunc(r.tx.MsgTx().TxOut, func(o *wire.TxOut) bool { return bytes.Equal(o.PkScript, script) }) ||
			slices.ContainsFunc(r.tx.MsgTx().TxIn, func(i *wire.TxIn) bool {
				o := before[i.PreviousOutPoint]
				return o != nil && bytes.Equal(o.PkScript, script)
			})
		if !touched || r.height == 0 && !withPool {
			continue
		}
		if begun && confirmed < pageSize {
			page = append(page, describe(r, before))
			if r.height > 0 {
				confirmed++
			}
		}
		begun = begun || r.tx.Hash().String() == last
	}
	if !begun {
		return nil, errors.New("the last transaction is not known")
	}
	return page, nil
}

// describe returns a transaction as Esplora does.
func describe(r record, before map[wire.OutPoint]*wire.TxOut) any {
	in, out, fee := []any{}, []any{}, int64(0)
	for _, i := range r.tx.MsgTx().TxIn {
		input := map[string]any{"txid": i.PreviousOutPoint.Hash.String(), "vout": i.PreviousOutPoint.Index, "is_coinbase": blockchain.IsCoinBase(r.tx), "prevout": nil}
		if o := before[i.PreviousOutPoint]; o != nil {
			input["prevout"] = describeOutput(o)
			fee += o.Value
		}
		in = append(in, input)
	}
	for _, o := range r.tx.MsgTx().TxOut {
		out = append(out, describeOutput(o))
		fee -= o.Value
	}
	return map[string]any{"txid": r.tx.Hash().String(), "vin": in, "vout": out, "fee": max(fee, 0), "weight": blockchain.GetTransactionWeight(r.tx), "status": r.status()}
}

func describeOutput(o *wire.TxOut) any {
	described := map[string]any{"scriptpubkey": hex.EncodeToString(o.PkScript), "value": o.Value}
	if _, addresses, _, err := txscript.ExtractPkScriptAddrs(o.PkScript, &chaincfg.RegressionNetParams); err == nil && len(addresses) == 1 {
		described["scriptpubkey_address"] = addresses[0].EncodeAddress()
	}
	return described
}
