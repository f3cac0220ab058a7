package bitcointest

import (
	"bytes"
	"encoding/hex"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcutil"
	"github.com/btcsuite/btcd/chaincfg"
	"github.com/btcsuite/btcd/chaincfg/chainhash"
	"github.com/btcsuite/btcd/txscript"
	"github.com/btcsuite/btcd/wire"
)

// Account is a key with its address (P2WPKH).
type Account struct {
	key     *btcec.PrivateKey
	address btcutil.Address
}

// NewAccount returns the account whose private key consists of a repeated byte.
func NewAccount(n byte) (Account, error) {
	key, public := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{n}, 32))
	address, err := btcutil.NewAddressWitnessPubKeyHash(btcutil.Hash160(public.SerializeCompressed()), &chaincfg.RegressionNetParams)
	return Account{key, address}, err
}

// Address returns the address in bech32.
func (a Account) Address() string { return a.address.EncodeAddress() }

// Spend returns a signed transaction, as hex digits, that spends one output of the account to an address.
func (a Account) Spend(id string, index uint32, amount int64, to string, satoshis int64) (string, error) {
	hash, err := chainhash.NewHashFromStr(id)
	if err != nil {
		return "", err
	}
	receiver, err := btcutil.DecodeAddress(to, &chaincfg.RegressionNetParams)
	if err != nil {
		return "", err
	}
	own, err := txscript.PayToAddrScript(a.address)
	if err != nil {
		return "", err
	}
	script, err := txscript.PayToAddrScript(receiver)
	if err != nil {
		return "", err
	}
	tx := wire.NewMsgTx(2)
	tx.AddTxIn(wire.NewTxIn(wire.NewOutPoint(hash, index), nil, nil))
	tx.AddTxOut(wire.NewTxOut(satoshis, script))
	hashes := txscript.NewTxSigHashes(tx, txscript.NewCannedPrevOutputFetcher(own, amount))
	if tx.TxIn[0].Witness, err = txscript.WitnessSignature(tx, hashes, 0, amount, own, txscript.SigHashAll, a.key, true); err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = tx.Serialize(&b)
	return hex.EncodeToString(b.Bytes()), err
}
