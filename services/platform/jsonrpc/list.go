package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// ErrList is returned by [DecodeList] for text that is not a list, or a longer one.
var ErrList = errors.New("not a list, or one that is too long")

// DecodeList decodes a list of at most most elements. It decodes no more of a longer one, as [json.Unmarshal] does: an element may take a hundred times the
// bytes of its text.
func DecodeList[T any](raw []byte, most int) ([]T, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if first, err := d.Token(); err != nil || first != json.Delim('[') {
		return nil, errors.Join(ErrList, err)
	}
	var list []T
	for d.More() {
		if len(list) == most {
			return nil, ErrList
		}
		var element T
		if err := d.Decode(&element); err != nil {
			return nil, err
		}
		list = append(list, element)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, ErrList
	}
	return list, nil
}
