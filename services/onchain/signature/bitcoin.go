package signature

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/btcutil"
	"github.com/btcsuite/btcd/chaincfg"
	"github.com/btcsuite/btcd/chaincfg/chainhash"
	"github.com/btcsuite/btcd/txscript"
	"github.com/btcsuite/btcd/wire"

	"github.com/hawser-dev/hawser/services/onchain/bitcoin"
)

const (
	// compactSize is the size of a signature by signmessage and BIP-137: a header byte, r and s.
	compactSize = 65
	// maxWitnessItem bounds an item of a witness, in bytes: a signature or a public key.
	maxWitnessItem = 80
)

// VerifyBitcoin verifies a signature of a text by an address of a network (CAIP-2), in base 64: BIP-322 in its simple
// form for P2WPKH, P2SH-P2WPKH and P2TR, and signmessage with the headers of BIP-137 for P2PKH, P2WPKH and P2SH-P2WPKH.
// SegWit addresses must be in lower case, so that each account has only one. It fails with [ErrMalformed] or
// [ErrWrong].
func VerifyBitcoin(chainID, address, text, signature string) error {
	params, ok := bitcoin.Network(chainID)
	if !ok {
		return ErrMalformed
	}
	account, err := bitcoin.ParseAddress(params, address)
	if err != nil || account.EncodeAddress() != address {
		return ErrMalformed
	}
	// Signatures of the simple form may begin with its name.
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(signature, "smp"))
	if err != nil || len(raw) > MaxSize {
		return ErrMalformed
	}
	if len(raw) == compactSize && raw[0] >= 27 && raw[0] <= 42 {
		return verifyCompact(params, account, text, raw)
	}
	return verifySimple(account, text, raw)
}

// verifyCompact recovers the key of a signmessage signature and compares its addresses. Wallets use different headers
// for SegWit addresses, so the header only has to indicate a compressed key.
func verifyCompact(params *chaincfg.Params, account btcutil.Address, text string, raw []byte) error {
	var b bytes.Buffer
	_ = wire.WriteVarString(&b, 0, "Bitcoin Signed Message:\n")
	_ = wire.WriteVarString(&b, 0, text)
	isCompressed := raw[0] >= 31
	compact := append([]byte{31 + (raw[0]-27)%4}, raw[1:]...)
	key, _, err := ecdsa.RecoverCompact(compact, chainhash.DoubleHashB(b.Bytes()))
	if err != nil {
		return ErrWrong
	}
	hash := btcutil.Hash160(key.SerializeCompressed())
	if !isCompressed {
		hash = btcutil.Hash160(key.SerializeUncompressed())
	}
	signed := false
	switch a := account.(type) {
	case *btcutil.AddressPubKeyHash:
		signed = bytes.Equal(a.ScriptAddress(), hash)
	case *btcutil.AddressWitnessPubKeyHash:
		signed = isCompressed && bytes.Equal(a.ScriptAddress(), hash)
	case *btcutil.AddressScriptHash:
		redeem, err := redeemScript(params, hash)
		signed = err == nil && isCompressed && bytes.Equal(a.ScriptAddress(), btcutil.Hash160(redeem))
	}
	if !signed {
		return ErrWrong
	}
	return nil
}

// verifySimple verifies BIP-322: the signature is the witness of a virtual transaction that can never be sent and that
// commits to the text.
func verifySimple(account btcutil.Address, text string, raw []byte) error {
	witness, ok := readWitness(raw)
	if !ok {
		return ErrMalformed
	}
	challenge, err := txscript.PayToAddrScript(account)
	if err != nil {
		return ErrMalformed
	}
	unlock, hashType, err := unlocking(account, witness)
	if err != nil {
		return err
	}
	if hashType != txscript.SigHashAll && hashType != txscript.SigHashDefault {
		return ErrMalformed
	}
	toSign, err := signedTransaction(challenge, text)
	if err != nil {
		return err
	}
	toSign.TxIn[0].SignatureScript, toSign.TxIn[0].Witness = unlock, witness
	fetcher := txscript.NewCannedPrevOutputFetcher(challenge, 0)
	engine, err := txscript.NewEngine(challenge, toSign, 0, txscript.StandardVerifyFlags, nil, txscript.NewTxSigHashes(toSign, fetcher), 0, fetcher)
	if err != nil {
		return ErrMalformed
	}
	if engine.Execute() != nil {
		return ErrWrong
	}
	return nil
}

// signedTransaction returns the transaction to sign of BIP-322, without a signature.
func signedTransaction(challenge []byte, text string) (*wire.MsgTx, error) {
	hash := chainhash.TaggedHash([]byte("BIP0322-signed-message"), []byte(text))
	commit, err := txscript.NewScriptBuilder().AddOp(txscript.OP_0).AddData(hash[:]).Script()
	if err != nil {
		return nil, err
	}
	toSpend := wire.NewMsgTx(0)
	toSpend.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Index: wire.MaxPrevOutIndex}, SignatureScript: commit})
	toSpend.AddTxOut(wire.NewTxOut(0, challenge))
	spent := toSpend.TxHash()
	toSign := wire.NewMsgTx(0)
	toSign.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Hash: spent}})
	toSign.AddTxOut(wire.NewTxOut(0, []byte{txscript.OP_RETURN}))
	return toSign, nil
}

// unlocking returns the signature script for a witness, and the hash type of its signature. Only single keys are
// accepted.
func unlocking(account btcutil.Address, witness wire.TxWitness) (script []byte, hashType txscript.SigHashType, err error) {
	if a, ok := account.(*btcutil.AddressTaproot); ok && a != nil {
		if len(witness) != 1 || len(witness[0]) != 64 && len(witness[0]) != compactSize {
			return nil, 0, ErrMalformed
		}
		if len(witness[0]) == compactSize {
			hashType = txscript.SigHashType(witness[0][64])
		}
		return nil, hashType, nil
	}
	if len(witness) != 2 || len(witness[0]) == 0 || len(witness[1]) != btcec.PubKeyBytesLenCompressed {
		return nil, 0, ErrMalformed
	}
	hashType = txscript.SigHashType(witness[0][len(witness[0])-1])
	switch account.(type) {
	case *btcutil.AddressWitnessPubKeyHash:
		return nil, hashType, nil
	case *btcutil.AddressScriptHash:
		redeem, err := redeemScript(&chaincfg.MainNetParams, btcutil.Hash160(witness[1]))
		if err != nil {
			return nil, 0, err
		}
		script, err = txscript.NewScriptBuilder().AddData(redeem).Script()
		return script, hashType, err
	default:
		return nil, 0, ErrMalformed
	}
}

// redeemScript returns the script of P2WPKH within P2SH, which is the same on every network.
func redeemScript(params *chaincfg.Params, keyHash []byte) ([]byte, error) {
	inner, err := btcutil.NewAddressWitnessPubKeyHash(keyHash, params)
	if err != nil {
		return nil, err
	}
	return txscript.PayToAddrScript(inner)
}

// readWitness reads one or two items in the network's format.
func readWitness(raw []byte) (wire.TxWitness, bool) {
	r := bytes.NewReader(raw)
	count, err := wire.ReadVarInt(r, 0)
	if err != nil || count == 0 || count > 2 {
		return nil, false
	}
	witness := make(wire.TxWitness, count)
	for i := range witness {
		if witness[i], err = wire.ReadVarBytes(r, 0, maxWitnessItem, "item"); err != nil {
			return nil, false
		}
	}
	return witness, r.Len() == 0
}
