package universal

import (
	"regexp"
	"slices"
	"strings"
)

// maxName is how long a name may be, in bytes, as DNS has it.
const maxName = 253

var plainForm = regexp.MustCompile(`^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$`)

// Plain reports whether a name is normal (ENSIP-15) and cannot pass for another: it has lower-case letters of ASCII, digits and hyphens only,
// and no label of which the third and fourth are hyphens, as those have that stand for other scripts.
func Plain(name string) bool {
	return len(name) <= maxName && plainForm.MatchString(name) && !slices.ContainsFunc(strings.Split(name, "."), isEncoded)
}

func isEncoded(label string) bool { return len(label) >= 4 && label[2:4] == "--" }

// dns spells a plain name as DNS does: each label after its length, and a zero at the end.
func dns(name string) (spelled []byte) {
	for label := range strings.SplitSeq(name, ".") {
		spelled = append(append(spelled, byte(len(label))), label...)
	}
	return append(spelled, 0)
}
