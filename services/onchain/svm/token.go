package svm

import "encoding/binary"

const (
	// textLimit bounds the name and the symbol of a token, in bytes.
	textLimit = 512
	// mintSize and tokenAccountSize are the sizes of the layouts of the first token program. The layouts of Token-2022
	// begin with these.
	mintSize, tokenAccountSize = 82, 165
	// The byte after a layout of Token-2022 with extensions is the type of the account. Mints are padded to the size of
	// token accounts.
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

// TokenRights are the accounts other than the owner that may act on a token account.
type TokenRights struct {
	// Delegate may take Delegated units; nil for none.
	Delegate  *Address
	Delegated uint64
	// CloseAuthority may close the account instead of the owner; nil for none.
	CloseAuthority *Address
}

// multisigSize is the size of a multisig account. No other account of a token program has this size.
const multisigSize = 355

// ParseHolder parses a whole token account of either token program, with the rights on it. It fails for a mint, and for
// an account of another program.
func ParseHolder(program Address, data []byte) (t TokenAccount, r TokenRights, err error) {
	isExtended := program == Token2022Program && len(data) > tokenAccountSize && len(data) != multisigSize && data[tokenAccountSize] == accountTypeAccount
	if program != TokenProgram && program != Token2022Program || len(data) != tokenAccountSize && !isExtended {
		return t, r, ErrLayout
	}
	if t, err = ParseTokenAccount(data); err == nil {
		r, err = parseRights(data)
	}
	if err != nil {
		return TokenAccount{}, TokenRights{}, ErrLayout
	}
	return t, r, nil
}

// parseRights parses the rights in the layout of an account of the first token program. It fails if the account is not initialized.
func parseRights(data []byte) (r TokenRights, err error) {
	c := NewCursor(data, tokenAccountHead)
	r.Delegate = c.optionalAddress()
	state := c.Uint8()
	c.Skip(12) // the reserve of an account of wrapped SOL
	r.Delegated, r.CloseAuthority = c.Uint64(), c.optionalAddress()
	if c.Err() != nil || state == 0 {
		return TokenRights{}, ErrLayout
	}
	return r, nil
}

// MintAuthorities are the accounts that may act on a mint; nil for none.
type MintAuthorities struct{ Mint, Freeze *Address }

// ParseMintAuthorities parses the authorities of a mint of the token program that owns it.
func ParseMintAuthorities(mint, program Address, data []byte) (a MintAuthorities, err error) {
	if _, err := ParseMint(mint, program, data); err != nil {
		return a, err
	}
	c := NewCursor(data, 0)
	a.Mint = c.optionalAddress()
	c.Skip(10) // supply, decimals, and whether it is initialized
	a.Freeze = c.optionalAddress()
	return a, c.Err()
}

// optionalAddress reads an address after a flag of 4 bytes; nil if the flag is not set.
func (c *Cursor) optionalAddress() *Address {
	flag, a := c.Uint32(), c.Address()
	if flag != 1 {
		return nil
	}
	return &a
}

// Mint holds the data of a token's mint.
type Mint struct {
	// Supply is in base units.
	Supply   uint64
	Decimals uint8
	// Metadata is the metadata in the extension of Token-2022; nil if there is none, or if the mint points to another
	// account.
	Metadata *Metadata
}

// IsNFT reports whether there is exactly one unit, which cannot be divided.
func (m Mint) IsNFT() bool { return m.Decimals == 0 && m.Supply == 1 }

// Metadata is the name and the symbol of a token.
type Metadata struct{ Name, Symbol string }

// ParseMint parses a mint of the token program that owns it. Truncated extensions are treated as absent.
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

// ownMetadata returns the metadata in an extension of the mint, if the mint's metadata pointer refers to the mint
// itself, because any account may claim to describe a mint.
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

// extension returns the value of an extension in a list of type, length and value; nil if it is absent. A truncated
// value is returned as far as it is present.
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
