package svm

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/caip"
)

// usdc is the mint of USDC.
var usdc = MustAddress("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")

func TestDerivedAddressesAreThoseOfTheNetwork(t *testing.T) {
	feed := func(id string) [32]byte {
		b, err := hex.DecodeString(id)
		if err != nil {
			t.Fatal(err)
		}
		return [32]byte(b)
	}
	for want, got := range map[string]Address{
		"5x38Kp4hvdomTCnCrAny4UtMUt5rQBdB6px2K1Ui45Wq": MetadataAccount(usdc),
		"7UVimffxr9ow1uXYxsr4LHAcV58mLzhmwaeKvJ1pjLiE": FeedAccount(feed("ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d")),
		"Dpw1EAVrSB1ibxiDQyTAW6Zip3J4Btk2x4SgApQCeFbX": FeedAccount(feed("eaa020c61cc479712813461ce153894a96a6c00b21ed0cfc2798d1f9a9e9c94a")),
	} {
		if got.String() != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if len(Native.String()) != 43 {
		t.Errorf("the native placeholder has %d characters", len(Native.String()))
	}
}

// mintOf returns the data of a mint, with extensions for Token-2022.
func mintOf(decimals uint8, supply uint64, extensions []byte) []byte {
	data := make([]byte, mintSize)
	binary.LittleEndian.PutUint64(data[36:], supply)
	data[44], data[45] = decimals, 1
	if extensions == nil {
		return data
	}
	data = append(data, make([]byte, tokenAccountSize-mintSize)...)
	return append(append(data, accountTypeMint), extensions...)
}

func extensionOf(kind uint16, value []byte) []byte {
	b := binary.LittleEndian.AppendUint16(nil, kind)
	return append(binary.LittleEndian.AppendUint16(b, uint16(len(value))), value...)
}

func text(s string) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(s))), s...)
}

func TestAMintOfEachProgramIsParsed(t *testing.T) {
	if m, err := ParseMint(usdc, TokenProgram, mintOf(6, 5, nil)); err != nil || m != (Mint{Supply: 5, Decimals: 6}) {
		t.Errorf("the first program: %+v %v", m, err)
	}
	pointer := extensionOf(extensionMetadataPointer, append(make([]byte, 32), usdc[:]...))
	metadata := extensionOf(extensionMetadata, bytes.Join([][]byte{make([]byte, 32), usdc[:], text("US\u200bD Coin"), text("USDC")}, nil))
	fee := extensionOf(1, make([]byte, 108))
	m, err := ParseMint(usdc, Token2022Program, mintOf(6, 5, bytes.Join([][]byte{fee, pointer, metadata}, nil)))
	if err != nil || m.Metadata == nil || *m.Metadata != (Metadata{"USD Coin", "USDC"}) {
		t.Errorf("Token-2022: %+v %v", m, err)
	}
	other := extensionOf(extensionMetadataPointer, make([]byte, 64))
	if m, err := ParseMint(usdc, Token2022Program, mintOf(6, 5, append(other, metadata...))); err != nil || m.Metadata != nil {
		t.Errorf("metadata that the mint does not point to: %+v %v", m, err)
	}
	if m, err := ParseMint(usdc, TokenProgram, mintOf(0, 1, nil)); err != nil || !m.IsNFT() {
		t.Errorf("one unit that cannot be divided is an NFT: %+v %v", m, err)
	}
}

func TestDataOfAnotherLayoutIsNoMint(t *testing.T) {
	account := append(make([]byte, tokenAccountSize), accountTypeAccount, 0)
	account[45] = 1
	for name, data := range map[string][]byte{
		"empty": {}, "cut": mintOf(6, 5, nil)[:81], "not initialized": make([]byte, mintSize), "a token account": make([]byte, tokenAccountSize), "an extended token account": account,
	} {
		if m, err := ParseMint(usdc, Token2022Program, data); err == nil {
			t.Errorf("%s: got %+v", name, m)
		}
	}
	if _, err := ParseMint(usdc, SystemProgram, mintOf(6, 5, nil)); err == nil {
		t.Error("an account of another program was parsed")
	}
}

func metadataOf(kind byte, mint Address, name, symbol string) []byte {
	return bytes.Join([][]byte{{kind}, make([]byte, 32), mint[:], text(name), text(symbol), text("https://example.com")}, nil)
}

func TestMetadataIsThatOfItsMint(t *testing.T) {
	padded := "USD Coin" + strings.Repeat("\x00", 24)
	if m, err := ParseMetadata(usdc, MetadataProgram, metadataOf(metadataKind, usdc, padded, "USDC\x00\x00")); err != nil || m != (Metadata{"USD Coin", "USDC"}) {
		t.Errorf("got %+v %v", m, err)
	}
	for name, parse := range map[string]func() (Metadata, error){
		"of another mint": func() (Metadata, error) {
			return ParseMetadata(WrappedSOL, MetadataProgram, metadataOf(metadataKind, usdc, "a", "b"))
		},
		"of another kind": func() (Metadata, error) { return ParseMetadata(usdc, MetadataProgram, metadataOf(6, usdc, "a", "b")) },
		"of another program": func() (Metadata, error) {
			return ParseMetadata(usdc, TokenProgram, metadataOf(metadataKind, usdc, "a", "b"))
		},
		"cut": func() (Metadata, error) {
			return ParseMetadata(usdc, MetadataProgram, metadataOf(metadataKind, usdc, "a", "b")[:70])
		},
	} {
		if m, err := parse(); err == nil {
			t.Errorf("%s: got %+v", name, m)
		}
	}
}

func feedOf(id [32]byte, level byte, price int64, exponent int32, at int64) []byte {
	data := slices.Concat(priceKind[:], make([]byte, 32))
	data = append(append(data, level), id[:]...)
	data = binary.LittleEndian.AppendUint64(data, uint64(price))
	data = binary.LittleEndian.AppendUint64(data, 7)
	data = binary.LittleEndian.AppendUint32(data, uint32(exponent))
	return binary.LittleEndian.AppendUint64(data, uint64(at))
}

func TestOnlyAVerifiedPriceOfTheFeedCounts(t *testing.T) {
	id := [32]byte{1}
	if p, err := ParseFeed(id, priceProgram, feedOf(id, 1, 15_012_345_678, -8, 1e9)); err != nil || math.Abs(p.Amount-150.12345678) > 1e-9 || p.At.Unix() != 1e9 {
		t.Errorf("got %+v %v", p, err)
	}
	for name, data := range map[string][]byte{
		"partly verified": feedOf(id, 0, 1, -8, 1e9), "of another feed": feedOf([32]byte{2}, 1, 1, -8, 1e9), "negative": feedOf(id, 1, -1, -8, 1e9), "cut": feedOf(id, 1, 1, -8, 1e9)[:99],
		"infinite": feedOf(id, 1, 1, math.MaxInt32, 1e9),
	} {
		if p, err := ParseFeed(id, priceProgram, data); err == nil {
			t.Errorf("%s: got %+v", name, p)
		}
	}
}

func FuzzLayouts(f *testing.F) {
	f.Add(mintOf(6, 5, extensionOf(extensionMetadata, make([]byte, 90))))
	f.Add(metadataOf(metadataKind, usdc, "USD Coin", "USDC"))
	f.Add(feedOf([32]byte{1}, 1, 1, -8, 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, program := range []Address{TokenProgram, Token2022Program} {
			if m, err := ParseMint(usdc, program, data); err != nil && m != (Mint{}) {
				t.Errorf("an error with %+v", m)
			}
		}
		_, _ = ParseTokenAccount(data)
		_, _ = ParseMetadata(usdc, MetadataProgram, data)
		if p, err := ParseFeed([32]byte{1}, priceProgram, data); err == nil && (p.Amount <= 0 || math.IsInf(p.Amount, 0)) {
			t.Errorf("a price of %v", p.Amount)
		}
	})
}

func FuzzParseAddress(f *testing.F) {
	f.Add(usdc.String())
	f.Add("11111111111111111111111111111111")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAddress(text)
		if (err == nil) != caip.IsSolanaAddress(text) {
			t.Errorf("%q: %v, which differs from package caip", text, err)
		}
		if err == nil && a.String() != text {
			t.Errorf("%q is printed as %s", text, a)
		}
	})
}
