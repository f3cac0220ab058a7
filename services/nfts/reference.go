package nfts

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"

	"github.com/hawser-dev/hawser/services/nfts/asset"
	"github.com/hawser-dev/hawser/services/nfts/metadata"
)

// ErrReference means that a text is not a reference made by this service.
var ErrReference = errors.New("not a reference to a picture")

// Lengths of the parts of a reference, in bytes.
const (
	editionLength = 8
	sealLength    = 16
	headLength    = 1 + 20 + 32 + editionLength
)

// letters encode the standards in a reference.
var letters = map[asset.Standard]byte{asset.ERC721: 'c', asset.ERC1155: 'm'}

// referenceSigner makes and parses references to the pictures of tokens. A reference names a token, not a URL, and is signed (HMAC-SHA256), so that
// only pictures that this service listed can be requested.
type referenceSigner struct{ key []byte }

// Reference returns the reference to the picture of a token; empty if the token has none. A new picture gets a new reference, because
// browsers cache pictures.
func (s referenceSigner) Reference(t asset.Token, d *metadata.Document) string {
	if d == nil || d.Picture == "" && d.Drawing == "" {
		return ""
	}
	edition := sha256.Sum256([]byte(d.Picture + "\x00" + d.Drawing))
	b := make([]byte, 0, headLength+len(t.Contract.ChainID)+sealLength)
	b = append(b, letters[t.Contract.Standard])
	b = append(b, t.Contract.Address[:]...)
	b = append(b, t.ID[:]...)
	b = append(b, edition[:editionLength]...)
	b = append(b, t.Contract.ChainID...)
	return base64.RawURLEncoding.EncodeToString(append(b, s.sign(b)...))
}

// Token parses a reference. The error wraps [ErrReference].
func (s referenceSigner) Token(reference string) (asset.Token, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(reference)
	if err != nil || len(b) < headLength+sealLength || strings.ContainsAny(reference, "\r\n") {
		return asset.Token{}, ErrReference
	}
	b, sum := b[:len(b)-sealLength], b[len(b)-sealLength:]
	if !hmac.Equal(sum, s.sign(b)) {
		return asset.Token{}, ErrReference
	}
	var t asset.Token
	t.Contract.Standard = asset.ERC721
	if b[0] == letters[asset.ERC1155] {
		t.Contract.Standard = asset.ERC1155
	}
	copy(t.Contract.Address[:], b[1:])
	copy(t.ID[:], b[1+len(t.Contract.Address):])
	t.Contract.ChainID = string(b[headLength:])
	return t, nil
}

func (s referenceSigner) sign(b []byte) []byte {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte("nft-media 1\x00"))
	mac.Write(b)
	return mac.Sum(nil)[:sealLength]
}
