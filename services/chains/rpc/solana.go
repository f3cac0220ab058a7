package rpc

import (
	"encoding/base64"
	"encoding/json"

	"github.com/mr-tron/base58"
)

// solanaChecks return an error if the result of a method does not belong to the request. Results that do not show it
// pass.
var solanaChecks = map[string]func(Request, json.RawMessage) error{
	"getTransaction":       checkSignature,
	"getMultipleAccounts":  checkCount,
	"getSignatureStatuses": checkCount,
}

// checkSignature compares the signature of a transaction with the requested one.
func checkSignature(q Request, result json.RawMessage) error {
	var wanted string
	if json.Unmarshal(q.param(1), &wanted) != nil {
		return nil
	}
	var read struct {
		Transaction json.RawMessage `json:"transaction"`
	}
	if json.Unmarshal(result, &read) != nil {
		return errOtherResult
	}
	if signature, known := firstSignature(read.Transaction); known && signature != wanted {
		return errOtherResult
	}
	return nil
}

const (
	// maxBase58 bounds a transaction in base 58, in characters, because the time of decoding grows with the square of
	// the length. 1,232 bytes have 1,683 characters.
	maxBase58 = 1700
	// The first byte is the number of signatures, which is below 128; the first signature follows it.
	signatureStart, signatureSize = 1, 64
)

// firstSignature returns the first signature of a transaction; empty if the transaction is malformed. known is false
// for an unsupported encoding. Encodings are an object, a text with the name of its encoding, and, in the old form, a
// text in base 58.
func firstSignature(transaction json.RawMessage) (signature string, known bool) {
	var decoded struct {
		Signatures []string `json:"signatures"`
	}
	if json.Unmarshal(transaction, &decoded) == nil {
		if len(decoded.Signatures) == 0 {
			return "", true
		}
		return decoded.Signatures[0], true
	}
	var text string
	encoded := []string{"", "base58"}
	if json.Unmarshal(transaction, &text) == nil {
		encoded[0] = text
	} else if json.Unmarshal(transaction, &encoded) != nil || len(encoded) != 2 {
		return "", len(transaction) == 0
	}
	var raw []byte
	var err error
	switch {
	case encoded[1] == "base64":
		raw, err = base64.StdEncoding.DecodeString(encoded[0])
	case encoded[1] == "base58" && len(encoded[0]) <= maxBase58:
		raw, err = base58.Decode(encoded[0])
	default:
		return "", false
	}
	if err != nil || len(raw) < signatureStart+signatureSize {
		return "", true
	}
	return base58.Encode(raw[signatureStart : signatureStart+signatureSize]), true
}

// checkCount compares the number of results with that of the requested keys.
func checkCount(q Request, result json.RawMessage) error {
	var keys []json.RawMessage
	if json.Unmarshal(q.param(1), &keys) != nil {
		return nil
	}
	var read struct {
		Value []json.RawMessage `json:"value"`
	}
	if json.Unmarshal(result, &read) != nil || len(read.Value) != len(keys) {
		return errOtherResult
	}
	return nil
}
