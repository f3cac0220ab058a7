package bitcoin

import (
	"github.com/btcsuite/btcd/chaincfg/chainhash"
	"github.com/btcsuite/btcd/txscript"
	"github.com/btcsuite/btcd/wire"

	"github.com/hawser-dev/hawser/services/bitcoin/esplora"
)

// weigh returns about how many bytes a cached answer takes.
func weigh(key string, answer any) uint32 {
	const entry, item = 256, 128
	n := entry + len(key)
	switch a := answer.(type) {
	case []esplora.UnspentOutput:
		n += item * len(a)
	case []esplora.Transaction:
		for _, t := range a {
			n += item * (1 + len(t.Inputs) + len(t.Outputs))
		}
	case transaction:
		n += len(a.raw)
	}
	return uint32(n)
}

// remember records whose the unspent outputs of an address are.
func (s *server) remember(n network, address string, list []esplora.UnspentOutput) {
	for _, o := range list[:min(len(list), maxOwners/10)] {
		if hash, err := chainhash.NewHashFromStr(o.TransactionID); err == nil {
			s.owners.Set(outpoint{n.id, wire.OutPoint{Hash: *hash, Index: o.Index}}, address)
		}
	}
}

// drop drops the cached answers about the addresses that a transaction spends from or pays to, as far as they are known.
func (s *server) drop(n network, tx *wire.MsgTx) {
	addresses := map[string]bool{}
	of := func(script []byte) {
		_, list, _, err := txscript.ExtractPkScriptAddrs(script, n.params)
		for _, a := range list {
			addresses[a.EncodeAddress()] = err == nil
		}
	}
	for _, in := range tx.TxIn {
		if owner, known := s.owners.Get(outpoint{n.id, in.PreviousOutPoint}); known {
			addresses[owner] = true
		}
		// The key or the script that spends tells the address, except with Taproot.
		if spent, err := txscript.ComputePkScript(in.SignatureScript, in.Witness); err == nil {
			of(spent.Script())
		}
	}
	for _, out := range tx.TxOut {
		of(out.PkScript)
	}
	for address := range addresses {
		for _, key := range []string{"balance/" + address, "unspent/" + address, "transactions/" + address + "/"} {
			s.answers.Delete(n.id + "/" + key)
		}
	}
}
