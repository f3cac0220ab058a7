package svm

import "encoding/binary"

const (
	// textLimit bounds the name and the symbol of a token, in bytes.
	textLimit = 512
	// mintSize and tokenAccountSize are the sizes of the layouts of the first token program, which those of Token-2022 begin with.
	mintSize, tokenAccountSize = 82, 165
	// The byte after a layout of Token-2022 with extensions says what it is. Mints are padded to the size of token accounts.
	accountTypeMint, accountTypeAccount = 1, 2
)

// The extensions of Token-2022 that are read, by their type.
const (
	extensionMetadataPointer = 18
	extensionMetadata        = 19
)

// TokenAccount is an account that holds units of one token.
type TokenAccount struct {
	Mint, Owner Address
	// Units is the amount in base units.
	Units uint64
}

// tokenAccountHead is how many bytes of a token account are read: mint, owner and amount.
const tokenAccountHead = 72

// ParseTokenAccount parses the beginning of an account of either token program: at least its first 72 bytes.
func ParseTokenAccount(data []byte) (TokenAccount, error) {
	c := NewCursor(data, 0)
	t := TokenAccount{Mint: c.Address(), Owner: c.Address(), Units: c.Uint64()}
	return t, c.Err()
}

// Mint is a token, as its mint describes it.
type Mint struct {
	// Supply is in base units.
	Supply   uint64
	Decimals uint8
	// Metadata is that of the extension of Token-2022; nil without one, and if the mint points to another account.
	Metadata *Metadata
}

// IsNFT reports whether there is exactly one unit, which cannot be divided.
func (m Mint) IsNFT() bool { return m.Decimals == 0 && m.Supply == 1 }

// Metadata is what a token is called.
type Metadata struct{ Name, Symbol string }

// ParseMint parses a mint of the token program that owns it. Extensions that are cut are absent.
func ParseMint(mint, program Address, data []byte) (Mint, error) {
	if program != TokenProgram && program != Token2022Program {
		return Mint{}, ErrLayout
	}
	c := NewCursor(data, 36)
	m := Mint{Supply: c.Uint64(), Decimals: c.Uint8()}
	if initialized := c.Uint8(); c.Err() != nil || initialized != 1 || len(data) < mintSize {
		return Mint{}, ErrLayout
	}
	if program == TokenProgram || len(data) == mintSize {
		if len(data) != mintSize {
			return Mint{}, ErrLayout
		}
		return m, nil
	}
	if len(data) <= tokenAccountSize || data[tokenAccountSize] != accountTypeMint {
		return Mint{}, ErrLayout
	}
	m.Metadata = ownMetadata(mint, data[tokenAccountSize+1:])
	return m, nil
}

// ownMetadata returns the metadata that a mint has as an extension, if the mint itself says that it is there: any account may claim to describe
// a mint.
func ownMetadata(mint Address, extensions []byte) *Metadata {
	pointer := NewCursor(extension(extensions, extensionMetadataPointer), len(mint))
	if pointer.Address() != mint || pointer.Err() != nil {
		return nil
	}
	c := NewCursor(extension(extensions, extensionMetadata), len(mint))
	described := c.Address()
	m := &Metadata{Name: c.Text(textLimit), Symbol: c.Text(textLimit)}
	if c.Err() != nil || described != mint {
		return nil
	}
	return m
}

// extension returns the value of an extension: a list of type, length and value; nil if it is absent. A value that is cut is returned as far as it
// goes.
func extension(list []byte, kind uint16) []byte {
	for len(list) >= 4 {
		found, length := binary.LittleEndian.Uint16(list), int(binary.LittleEndian.Uint16(list[2:]))
		list = list[4:]
		if found == kind {
			return list[:min(length, len(list))]
		}
		if found == 0 || length > len(list) {
			return nil
		}
		list = list[length:]
	}
	return nil
}

// metadataKind is the first byte of a Metaplex metadata account.
const metadataKind = 4

// ParseMetadata parses the beginning of the Metaplex metadata account of a mint.
func ParseMetadata(mint, program Address, data []byte) (Metadata, error) {
	c := NewCursor(data, 0)
	kind := c.Uint8()
	c.Skip(len(mint)) // the update authority
	described := c.Address()
	m := Metadata{Name: c.Text(textLimit), Symbol: c.Text(textLimit)}
	if c.Err() != nil || kind != metadataKind || described != mint || program != MetadataProgram {
		return Metadata{}, ErrLayout
	}
	return m, nil
}
