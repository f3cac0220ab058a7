package solana

import (
	"bytes"
	"encoding/base64"
	"errors"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/svm"
)

const (
	// MaxSize is the largest transaction in its wire format, in bytes.
	MaxSize = 1232
	// maxKeys is how many accounts a message can name: they have indexes of one byte.
	maxKeys = 256

	signatureSize, blockhashSize = 64, 32
	// versioned is the highest bit of the first byte of a message with a version; the other bits are the version.
	versioned = 0x80
)

// ErrTransaction is returned for bytes that are not a transaction of Solana, legacy or of version 0.
var ErrTransaction = errors.New("not a transaction of Solana")

// instruction is a call of a program. Program and accounts are indexes of the keys of its transaction.
type instruction struct {
	program  int
	accounts []int
	data     []byte
}

// lookup names accounts by their index in a lookup table.
type lookup struct {
	table              svm.Address
	writable, readonly []int
}

// Transaction is a transaction without its signatures.
type Transaction struct {
	message []byte
	// blockhashAt is the offset of the blockhash in the message.
	blockhashAt int
	// signers is the number of signers, the first of which pays the fee. The last readonlySigners of the signers are
	// read-only, and so are the last readonlyOthers of the other static keys.
	signers, readonlySigners, readonlyOthers int
	static                                   []svm.Address
	lookups                                  []lookup
	instructions                             []instruction
}

// ParseTransaction parses a transaction in its wire format. Its signatures may be missing.
func ParseTransaction(raw []byte) (t Transaction, err error) {
	if len(raw) > MaxSize {
		return t, ErrTransaction
	}
	c := svm.NewCursor(raw, 0)
	signatures := length(c)
	c.Skip(signatures * signatureSize)
	if c.Err() != nil || signatures >= versioned || c.Len() == 0 {
		return t, ErrTransaction
	}
	t.message = raw[len(raw)-c.Len():]
	if !t.parse() || signatures > t.signers {
		return Transaction{}, ErrTransaction
	}
	return t, nil
}

// parse parses the message, and reports whether a node would accept its structure.
func (t *Transaction) parse() bool {
	c := svm.NewCursor(t.message, 0)
	isVersioned := t.message[0]&versioned != 0
	if isVersioned && c.Uint8() != versioned {
		return false
	}
	t.signers, t.readonlySigners, t.readonlyOthers = int(c.Uint8()), int(c.Uint8()), int(c.Uint8())
	for range length(c) {
		t.static = append(t.static, c.Address())
	}
	t.blockhashAt = len(t.message) - c.Len()
	c.Skip(blockhashSize)
	for range length(c) {
		t.instructions = append(t.instructions, instruction{program: int(c.Uint8()), accounts: indexes(c), data: c.Bytes(length(c))})
	}
	if isVersioned {
		for range length(c) {
			t.lookups = append(t.lookups, lookup{table: c.Address(), writable: indexes(c), readonly: indexes(c)})
		}
	}
	return c.Err() == nil && c.Len() == 0 && t.isSane()
}

// isSane reports whether every index is within the keys.
func (t *Transaction) isSane() bool {
	n := len(t.static)
	if t.signers == 0 || t.signers > n || t.readonlySigners >= t.signers || t.readonlyOthers > n-t.signers {
		return false
	}
	for _, l := range t.lookups {
		n += len(l.writable) + len(l.readonly)
	}
	outside := func(i int) bool { return i >= n }
	return n <= maxKeys && !slices.ContainsFunc(t.instructions, func(i instruction) bool {
		return i.program == 0 || i.program >= len(t.static) || slices.ContainsFunc(i.accounts, outside)
	})
}

// length reads a length in the compact form of one to three bytes. It is at most [MaxSize], which bounds loops over it.
// As nodes do, it refuses a length that is encoded in more bytes than necessary.
func length(c *svm.Cursor) (n int) {
	const most = 3
	for i := range most {
		b := int(c.Uint8())
		n |= (b & 0x7f) << (7 * i)
		if b >= versioned {
			continue
		}
		if n > MaxSize || b == 0 && i > 0 {
			break
		}
		return n
	}
	c.Skip(c.Len() + 1)
	return 0
}

func indexes(c *svm.Cursor) (list []int) {
	for _, b := range c.Bytes(length(c)) {
		list = append(list, int(b))
	}
	return list
}

// IsSignedBy reports whether an account is a required signer.
func (t Transaction) IsSignedBy(account svm.Address) bool {
	return slices.Contains(t.static[:t.signers], account)
}

// blockhash returns the blockhash of the message, or the value of its durable nonce.
func (t Transaction) blockhash() svm.Address {
	return svm.Address(t.message[t.blockhashAt : t.blockhashAt+blockhashSize])
}

// IsMessage reports whether bytes are the message of a transaction, whose signature is that of the transaction.
func IsMessage(raw []byte) bool {
	t := Transaction{message: raw}
	return len(raw) > 0 && len(raw) <= MaxSize && t.parse()
}

// payer returns the account that pays the fee.
func (t Transaction) payer() svm.Address { return t.static[0] }

// wire returns the transaction in base 64 with signatures of zeros.
func (t Transaction) wire() string {
	return base64.StdEncoding.EncodeToString(slices.Concat([]byte{byte(t.signers)}, make([]byte, t.signers*signatureSize), t.message))
}

// messageWith returns the message in base 64 with another blockhash.
func (t Transaction) messageWith(blockhash svm.Address) string {
	message := bytes.Clone(t.message)
	copy(message[t.blockhashAt:], blockhash[:])
	return base64.StdEncoding.EncodeToString(message)
}

// keys are the accounts of a transaction: the static ones, then those of lookup tables.
type keys struct {
	all      []svm.Address
	writable []svm.Address
}

// tables returns the lookup tables of the transaction.
func (t Transaction) tables() (list []svm.Address) {
	for _, l := range t.lookups {
		list = append(list, l.table)
	}
	return list
}

const (
	// tableHeader is the size of the header of a lookup table, which precedes its addresses.
	tableHeader = 56
	// tableSize is the size of the largest lookup table.
	tableSize = tableHeader + maxKeys*len(svm.Address{})
)

// keysOf returns the accounts with those of lookup tables, which are in the order of tables. It reports false if a table lacks one, which is the zero address then.
func (t Transaction) keysOf(tables []*svm.Account) (k keys, isWhole bool) {
	for i, a := range t.static {
		k.all = append(k.all, a)
		if i < t.signers-t.readonlySigners || i >= t.signers && i < len(t.static)-t.readonlyOthers {
			k.writable = append(k.writable, a)
		}
	}
	var readonly []svm.Address
	isWhole = true
	for i, l := range t.lookups {
		for j, index := range slices.Concat(l.writable, l.readonly) {
			a, isThere := entryOf(tables[i], index)
			isWhole = isWhole && isThere
			if j >= len(l.writable) {
				readonly = append(readonly, a)
				continue
			}
			k.all = append(k.all, a)
			if isThere {
				k.writable = append(k.writable, a)
			}
		}
	}
	k.all = append(k.all, readonly...)
	return k, isWhole
}

// entryOf returns an account of a lookup table; false if it lacks it.
func entryOf(table *svm.Account, index int) (svm.Address, bool) {
	if table == nil || table.Program != svm.LookupTableProgram {
		return svm.Address{}, false
	}
	c := svm.NewCursor(table.Data, tableHeader+index*len(svm.Address{}))
	a := c.Address()
	return a, c.Err() == nil
}
