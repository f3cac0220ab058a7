package finalcache

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"io"
)

// Encodings of results, by their first byte.
const (
	plain byte = iota
	deflated
)

const (
	// leastDeflated is the size in bytes from which results are compressed.
	leastDeflated = 512
	// mostDecoded bounds a result after decompression, in bytes.
	mostDecoded = 1 << 20
)

// errEncoding is returned for a row that was not written by [encode].
var errEncoding = errors.New("the result is not readable")

// encode returns a result as it is stored; nil for none.
func encode(result json.RawMessage) []byte {
	if len(result) == 0 {
		return []byte{}
	}
	if len(result) >= leastDeflated {
		var b bytes.Buffer
		b.WriteByte(deflated)
		// The level is valid, and a buffer takes every byte.
		w, _ := flate.NewWriter(&b, flate.BestSpeed)
		_, _ = w.Write(result)
		_ = w.Close()
		if b.Len() <= len(result) {
			return b.Bytes()
		}
	}
	return append([]byte{plain}, result...)
}

// decode returns what [encode] encoded.
func decode(stored []byte) (json.RawMessage, error) {
	switch {
	case len(stored) == 0:
		return nil, nil
	case stored[0] == plain:
		return stored[1:], nil
	case stored[0] != deflated:
		return nil, errEncoding
	}
	result, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(stored[1:])), mostDecoded+1))
	if err != nil || len(result) > mostDecoded {
		return nil, errEncoding
	}
	return result, nil
}
