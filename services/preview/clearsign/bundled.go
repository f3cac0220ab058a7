package clearsign

import (
	"embed"
	"io/fs"
)

//go:embed bundled
var bundledFiles embed.FS

// Role is what a contract has to be for a bundled descriptor. The caller decides which contracts are.
type Role string

// The roles of contracts.
const (
	// ERC20, ERC721 and ERC1155 are tokens of a standard.
	ERC20   Role = "erc20"
	ERC721  Role = "erc721"
	ERC1155 Role = "erc1155"
	// Collection is a token of ERC-721 or of ERC-1155.
	Collection Role = "collection"
	// Wrapped is the wrapped native token of the chain.
	Wrapped Role = "wrapped"
	// Permit2 is Uniswap's Permit2.
	Permit2 Role = "permit2"
	// DelegationManager keeps the delegations of smart accounts.
	DelegationManager Role = "delegation-manager"
	// V2Router, V3Router, SwapRouter02, AlgebraRouter and UniversalRouter are the routers of exchanges.
	V2Router        Role = "v2-router"
	V3Router        Role = "v3-router"
	SwapRouter02    Role = "swap-router-02"
	AlgebraRouter   Role = "algebra-router"
	UniversalRouter Role = "universal-router"
)

// bundledFor are the roles of the bundled descriptors by their files, in the order in which they are used.
var bundledFor = []struct {
	file string
	role Role
}{
	{"wrapped.json", Wrapped}, {"permit2.json", Permit2}, {"permit2-signed.json", Permit2}, {"delegation.json", DelegationManager},
	{"v2-router.json", V2Router}, {"v3-router.json", V3Router}, {"swap-router-02.json", SwapRouter02}, {"algebra-router.json", AlgebraRouter},
	{"universal-router.json", UniversalRouter}, {"erc721.json", ERC721}, {"erc1155.json", ERC1155}, {"collection.json", Collection},
	{"erc20.json", ERC20}, {"erc20-signed.json", ERC20},
}

// bundle is a descriptor of this repository, for the contracts of a role.
type bundle struct {
	*descriptor

	role Role
}

// bundles reads the bundled descriptors.
func bundles() (all []bundle, err error) {
	folder, err := fs.Sub(bundledFiles, "bundled")
	if err != nil {
		return nil, err
	}
	l := &loader{folder: folder, trees: map[string]*node{}}
	for _, b := range bundledFor {
		root, err := l.tree(b.file)
		if err != nil {
			return nil, err
		}
		if root, err = l.withIncludes(root, 0); err != nil {
			return nil, err
		}
		read, err := readDescriptor(root, false)
		if err != nil {
			return nil, err
		}
		read.isBundled = true
		all = append(all, bundle{read, b.role})
	}
	return all, nil
}
