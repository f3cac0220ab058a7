package sns

import (
	"crypto/ed25519"
	"encoding/hex"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// headerSize is the size of the header of an account of the SPL Name Service: its parent, its owner and its class.
const headerSize = 96

// registration is an account of the SPL Name Service.
type registration struct {
	owner svm.Address
	// data follows the header.
	data []byte
}

// parseRegistration parses an account of the SPL Name Service with the parent and class of its address.
func parseRegistration(a *svm.Account, parent, class svm.Address) (registration, error) {
	if a == nil || a.Program != nameProgram {
		return registration{}, svm.ErrLayout
	}
	c := svm.NewCursor(a.Data, 0)
	foundParent, owner, foundClass := c.Address(), c.Address(), c.Address()
	if c.Err() != nil || foundParent != parent || foundClass != class {
		return registration{}, svm.ErrLayout
	}
	return registration{owner: owner, data: a.Data[headerSize:]}, nil
}

// verifiedBySolana is the kind of verification of a record by the signature of a Solana account (SNS-IP 3).
const verifiedBySolana = 1

// addressSize is the size of an address in bytes.
const addressSize = 32

// parseRecordV2 parses a SOL record of version 2: kinds of verification and the length of the content, the account that wrote it, the account
// that confirmed it, and the content. The present owner of the name must have written it, and the destination have confirmed it.
func parseRecordV2(r registration, owner svm.Address) (destination svm.Address, err error) {
	c := svm.NewCursor(r.data, 0)
	writing, confirming, length := c.Uint16(), c.Uint16(), c.Uint32()
	writer, confirmer, destination := c.Address(), c.Address(), c.Address()
	if c.Err() != nil || c.Len() > 0 || length != addressSize || writing != verifiedBySolana || confirming != verifiedBySolana {
		return svm.Address{}, svm.ErrLayout
	}
	if writer != owner || confirmer != destination {
		return svm.Address{}, svm.ErrLayout
	}
	return destination, nil
}

// parseRecordV1 parses a SOL record of version 1: the destination, and the owner's signature of the hex digits of the
// destination and the record's address.
func parseRecordV1(r registration, record, owner svm.Address) (destination svm.Address, err error) {
	c := svm.NewCursor(r.data, 0)
	destination = c.Address()
	signature := c.Bytes(ed25519.SignatureSize)
	signed := hex.EncodeToString(append(destination.Bytes(), record[:]...))
	if c.Err() != nil || !ed25519.Verify(owner[:], []byte(signed), signature) {
		return svm.Address{}, svm.ErrLayout
	}
	return destination, nil
}

// The states of a wrapping.
const wrapped, unwrapped = 2, 3

// parseWrapping reports whether a name is wrapped in the NFT of a mint. An account that does not exist means no.
func parseWrapping(a *svm.Account, name, mint svm.Address) (bool, error) {
	if a == nil {
		return false, nil
	}
	c := svm.NewCursor(a.Data, 0)
	state := c.Uint8()
	c.Skip(1) // the bump of the account's address
	about := c.Address()
	c.Skip(addressSize) // the account that wrapped it last
	token := c.Address()
	if a.Program != tokenizer || c.Err() != nil || about != name || token != mint || state != wrapped && state != unwrapped {
		return false, svm.ErrLayout
	}
	return state == wrapped, nil
}

// solRecordKind is the first byte of a record of the Solana Record Service.
const solRecordKind = 2

// The kinds of owners of a record.
const ownedByAccount, ownedByToken = 0, 1

// parseSolRecord parses a record of .sol: its kind, class, kind of owner, owner, whether it is frozen, and when it expires. byToken is set if the
// owner is a mint.
func parseSolRecord(a *svm.Account, now time.Time) (owner svm.Address, byToken bool, err error) {
	if a == nil || a.Program != recordService {
		return owner, false, svm.ErrLayout
	}
	c := svm.NewCursor(a.Data, 0)
	kind, class, ownerKind := c.Uint8(), c.Address(), c.Uint8()
	owner = c.Address()
	c.Skip(1) // a frozen record cannot be changed, but it is valid
	expires := c.Int64()
	if c.Err() != nil || kind != solRecordKind || class != solClass || ownerKind != ownedByAccount && ownerKind != ownedByToken {
		return svm.Address{}, false, svm.ErrLayout
	}
	if expires != 0 && expires <= now.Unix() { // 0 never expires
		return svm.Address{}, false, svm.ErrLayout
	}
	return owner, ownerKind == ownedByToken, nil
}

// primaryKind is the first byte of an account that names a primary name.
const primaryKind = 4

// parsePrimary returns the account of a primary name.
func parsePrimary(a *svm.Account) (name svm.Address, err error) {
	if a == nil || a.Program != offers {
		return name, svm.ErrLayout
	}
	c := svm.NewCursor(a.Data, 0)
	kind, name := c.Uint8(), c.Address()
	if c.Err() != nil || kind != primaryKind {
		return svm.Address{}, svm.ErrLayout
	}
	return name, nil
}

// parseReverse parses the text of a name: its length and its bytes. The text of a sub-domain begins with a zero byte.
func parseReverse(a *svm.Account, parent svm.Address) (label string, err error) {
	r, err := parseRegistration(a, parent, reverseClass)
	if err != nil {
		return "", err
	}
	c := svm.NewCursor(r.data, 0)
	text := c.Bytes(int(min(c.Uint32(), maxLabel+1)))
	if c.Err() != nil || len(text) > maxLabel {
		return "", svm.ErrLayout
	}
	return strings.TrimPrefix(string(text), subPrefix), nil
}

// maxLabel bounds a label, in bytes, including the zero byte before that of a sub-domain.
const maxLabel = 64
