package wire

import "strings"

// Solana is the main network of Solana, CAIP-2.
const Solana = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"

// Namespaces of CAIP-2.
const (
	NamespaceEVM    = "eip155"
	NamespaceSolana = "solana"
)

// NamespaceOf is the namespace of a CAIP-2 id.
func NamespaceOf(chainID string) string {
	namespace, _, _ := strings.Cut(chainID, ":")
	return namespace
}
