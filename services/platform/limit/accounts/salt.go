package accounts

import (
	"encoding/binary"
	"hash/maphash"
	"net/netip"
)

// Salt makes keys that nobody outside of this process can predict, so that no caller can choose a network whose key is near another one's.
type Salt struct{ seed maphash.Seed }

// NewSalt returns a random salt.
func NewSalt() Salt { return Salt{maphash.MakeSeed()} }

// Key returns the key of what a project's caller at a network uses of the named rate. Two callers have the same key with a chance of 1 in 2^64.
func (s Salt) Key(project string, network netip.Prefix, rate string) uint64 {
	var space [128]byte
	text := appendNetwork(space[:0], network)
	text = binary.BigEndian.AppendUint32(text, uint32(len(rate)))
	text = append(append(text, rate...), project...)
	return maphash.Bytes(s.seed, text)
}

// Groups returns the groups of a project's caller at a site, the widest network around it.
func (s Salt) Groups(project string, site netip.Prefix) Groups {
	var space [32]byte
	groups := Groups{maphash.String(s.seed, project)}
	if site.IsValid() {
		groups[1] = maphash.Bytes(s.seed, appendNetwork(space[:0], site))
	}
	return groups
}

// appendNetwork appends the address and the length of a network, of which no network has too few.
func appendNetwork(text []byte, network netip.Prefix) []byte {
	address := network.Addr().As16()
	return append(append(text, address[:]...), byte(network.Bits()))
}
