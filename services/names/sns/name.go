package sns

import (
	"crypto/sha256"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// The programs and well-known accounts of both registries, on the main network of Solana.
var (
	nameProgram = svm.MustAddress("namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX")
	// root is the parent of all names of the SPL Name Service that end in .sns.
	root = svm.MustAddress("58PwtjSDuFHuUkYjH9BYnnQKHfwo9reZhC2zMJv9JPkx")
	// reverseClass is the class of accounts that hold the text of a name.
	reverseClass = svm.MustAddress("33m47vH6Eav6jr5Ry86XjhRft2jRBLDnDgPSHoquXi2Z")
	// recordClass is the class of records of version 2.
	recordClass = svm.MustAddress("2pMnqHvei2N5oDcVGCRdZx48gqti199wr5CsyTTafsbo")
	// tokenizer wraps names in NFTs.
	tokenizer = svm.MustAddress("nftD3vbNkNqfj2Sd3HZwbpw4BxxKWr4AjGb9X38JeZk")
	// offers is the program that stores the primary names of accounts.
	offers = svm.MustAddress("85iDfUvr3HJyLM2zcq5BXSiDvUWfw6cSE1FfNBo8Ap29")

	recordService = svm.MustAddress("srsWjm76StJucL7atFyPSdXFaVLNPFqEt1uFEDPrZsn")
	solRegistrar  = svm.MustAddress("soL7856gZrjQMSJMT33YDpfAuRYbetAbkZPuv7YeLht")
	// solClass is the class of .sol in the Solana Record Service.
	solClass = classOf(solRegistrar)
)

// none is the class or the parent of an account that has none.
var none svm.Address

// classOf returns the class of .sol that belongs to a registrar.
func classOf(registrar svm.Address) svm.Address {
	authority := svm.Derive(registrar, []byte("central_state"))
	return svm.Derive(recordService, []byte("class"), authority[:], []byte(".sol"))
}

// The prefixes of names in the SPL Name Service that are not top-level.
const subPrefix, recordV1Prefix, recordV2Prefix = "\x00", "\x01", "\x02"

// solRecord is the record with the address that is paid.
const solRecord = "SOL"

// Suffix is the last label of a name.
type Suffix string

// The suffixes.
const (
	SNS Suffix = "sns"
	Sol Suffix = "sol"
)

// Name is a name of Solana: `label.suffix`, or `sub.label.sns`.
type Name struct {
	// Sub is the label of the sub-domain; empty for none.
	Sub, Label string
	Suffix     Suffix
}

// Ours reports whether a name ends in a suffix of Solana, such as `name.sol`. Such names may have more labels than are
// supported.
func Ours(name string) bool {
	return strings.HasSuffix(name, "."+string(SNS)) || strings.HasSuffix(name, "."+string(Sol))
}

// ParseName parses a plain name in lower case. It returns false for names with an unsupported number of labels:
// sub-domains of .sol, and sub-domains of sub-domains.
func ParseName(text string) (Name, bool) {
	labels := strings.Split(text, ".")
	suffix := Suffix(labels[len(labels)-1])
	switch {
	case len(labels) == 2 && (suffix == SNS || suffix == Sol):
		return Name{Label: labels[0], Suffix: suffix}, labels[0] != ""
	case len(labels) == 3 && suffix == SNS:
		return Name{Sub: labels[0], Label: labels[1], Suffix: suffix}, labels[0] != "" && labels[1] != ""
	}
	return Name{}, false
}

// String returns the name as it is typed.
func (n Name) String() string {
	text := n.Label + "." + string(n.Suffix)
	if n.Sub != "" {
		text = n.Sub + "." + text
	}
	return text
}

// account returns the account of the name in the SPL Name Service, and its parent.
func (n Name) account() (account, parent svm.Address) {
	account = nameAccount(n.Label, none, root)
	if n.Sub == "" {
		return account, root
	}
	return nameAccount(subPrefix+n.Sub, none, account), account
}

// nameAccount returns the address of an account of the SPL Name Service.
func nameAccount(name string, class, parent svm.Address) svm.Address {
	hashed := sha256.Sum256([]byte("SPL Name Service" + name))
	return svm.Derive(nameProgram, hashed[:], class[:], parent[:])
}

// reverseAccount returns the account with the text of a name. parent is [none] for a name of two labels.
func reverseAccount(account, parent svm.Address) svm.Address {
	return nameAccount(account.String(), reverseClass, parent)
}

// primaryAccount returns the account that names the primary name of an owner.
func primaryAccount(owner svm.Address) svm.Address {
	return svm.Derive(offers, []byte("favourite_domain"), owner[:])
}

// wrapping returns the accounts of the NFT in which a name may be wrapped.
func wrapping(account svm.Address) (record, mint svm.Address) {
	return svm.Derive(tokenizer, []byte("nft_record"), account[:]), svm.Derive(tokenizer, []byte("tokenized_name"), account[:])
}

// solAccounts returns the record of a .sol name, and the mint of the NFT in which it may be wrapped.
func solAccounts(label string) (record, mint svm.Address) {
	hashed := sha256.Sum256([]byte("name" + label))
	record = svm.Derive(recordService, []byte("record"), solClass[:], hashed[:])
	return record, svm.Derive(recordService, []byte("mint"), record[:])
}
