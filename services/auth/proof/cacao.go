package proof

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/proto/siwe"
	"github.com/hawser-dev/hawser/services/onchain/caip"
)

const (
	didPrefix   = "did:pkh:"
	recapPrefix = "urn:recap:"
	// recapStart is the start of the sentence that a ReCap adds to the statement (ERC-5573).
	recapStart = "I further authorize the stated URI to perform the following actions on my behalf:"
)

// Cacao is a signed message in parts (CAIP-74).
type Cacao struct {
	// Issuer is did:pkh: and a CAIP-10 account.
	Issuer string
	// Form is caip122 or eip4361.
	Form string
	// Fields are the message without namespace, chain id and address.
	Fields    siwe.Message
	Signature string
}

// Read returns the text that the wallet signed. Its statement may or may not include the sentence of a ReCap in the
// resources, because wallets differ. It fails with [siwe.ErrMessage].
func (c Cacao) Read() (Proof, error) {
	if c.Form != "caip122" && c.Form != "eip4361" {
		return Proof{}, fmt.Errorf("%w: the form of the CACAO is not known", siwe.ErrMessage)
	}
	id, ok := strings.CutPrefix(c.Issuer, didPrefix)
	account, err := caip.ParseAccount(id)
	if !ok || err != nil {
		return Proof{}, fmt.Errorf("%w: its issuer is not did:pkh: and a CAIP-10 account", siwe.ErrMessage)
	}
	m := c.Fields
	m.Namespace, m.ChainID, m.Address = account.Chain.Namespace, account.Chain.Reference, account.Address
	if m, err = reread(m); err != nil {
		return Proof{}, err
	}
	p := Proof{Message: m, Texts: []string{m.String()}, Signature: c.Signature}
	if sentence := recapSentence(m.Resources); sentence != "" && !strings.HasSuffix(m.Statement, sentence) {
		with := m
		with.Statement = strings.TrimSpace(m.Statement + " " + sentence)
		if with, err = reread(with); err != nil {
			return Proof{}, err
		}
		p.Texts = append(p.Texts, with.String())
	}
	return p, nil
}

// recapSentence returns the sentence of the ReCap in the last resource, or an empty string if there is no ReCap.
func recapSentence(resources []string) string {
	if len(resources) == 0 {
		return ""
	}
	encoded, ok := strings.CutPrefix(resources[len(resources)-1], recapPrefix)
	if !ok {
		return ""
	}
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(encoded), "="))
	if err != nil {
		return ""
	}
	var recap struct {
		Att map[string]map[string]json.RawMessage `json:"att"`
	}
	if json.Unmarshal(raw, &recap) != nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(recapStart)
	n := 0
	for _, resource := range slices.Sorted(maps.Keys(recap.Att)) {
		// Abilities have the form namespace/name; those of one namespace share a clause.
		names := map[string][]string{}
		for _, ability := range slices.Sorted(maps.Keys(recap.Att[resource])) {
			namespace, name, _ := strings.Cut(ability, "/")
			names[namespace] = append(names[namespace], "'"+name+"'")
		}
		for _, namespace := range slices.Sorted(maps.Keys(names)) {
			n++
			fmt.Fprintf(&b, " (%d) '%s': %s for '%s'.", n, namespace, strings.Join(names[namespace], ", "), resource)
		}
	}
	if n == 0 {
		return ""
	}
	return b.String()
}
