package clearsign

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/plaintext"
)

const (
	// maxFormats bounds the functions or messages of one descriptor, and maxDeployments its contracts.
	maxFormats     = 256
	maxDeployments = 500
	// nameLimit bounds the names of an owner and a contract, in characters.
	nameLimit = 64
)

// deployment is a contract on a chain.
type deployment struct {
	chain    uint64
	contract evm.Address
}

// descriptor describes functions of contracts, or messages for them.
type descriptor struct {
	file            string
	owner, contract string
	// deployments are the contracts that are described; none for a descriptor that others include, or that stands for a standard.
	deployments []deployment
	isMessage   bool
	isBundled   bool
	// domain are members that the domain of a message has to have.
	domain map[string]string
	calls  map[selector]*described
	// messages are by their encoded types.
	messages map[string]*described
}

// described is a function or a message with its format.
type described struct {
	by *descriptor
	// name is the signature of a function, or the encoded type of a message, and of the type of the data.
	name   string
	of     *dataType
	format *format
}

// apply describes data.
func (f *described) apply(d *describer, of data, depth int) (Description, bool) {
	text, ok := d.describe(f.format, of, depth)
	text.Owner, text.Contract, text.IsBundled = f.by.owner, f.by.contract, f.by.isBundled
	return text, ok
}

// readDescriptor reads a descriptor. bound says that it has to name its contracts.
func readDescriptor(root *node, bound bool) (*descriptor, error) {
	if err := root.object("$schema", "includes", "context", "metadata", "display"); err != nil {
		return nil, err
	}
	if err := readVersion(root.member("$schema")); err != nil {
		return nil, err
	}
	d := &descriptor{file: root.key, calls: map[selector]*described{}, messages: map[string]*described{}}
	if err := d.metadata(root.member("metadata")); err != nil {
		return nil, err
	}
	context := root.member("context")
	if err := d.context(context); err != nil {
		return nil, err
	}
	if bound && len(d.deployments) == 0 {
		return nil, context.fault("it names no contract: want deployments, each with chainId and address")
	}
	display := root.member("display")
	if err := display.object("definitions", "formats"); err != nil {
		return nil, err
	}
	if err := display.member("definitions").expect(objectNode); err != nil {
		return nil, err
	}
	formats := display.member("formats")
	if formats == nil {
		return nil, root.fault("it has no display.formats")
	}
	if err := formats.expect(objectNode); err != nil {
		return nil, err
	}
	if len(formats.members) > maxFormats {
		return nil, formats.fault("it has over %d members", maxFormats)
	}
	for _, n := range formats.members {
		if err := d.format(root, n); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// versionForm matches the name of a schema's file. The oldest one has no version.
var versionForm = regexp.MustCompile(`erc7730(?:-v([0-9]+)(?:\.[0-9]+)*)?\.schema\.json$`)

// readVersion refuses schemas of other major versions than 1 and 2. Without a schema it is 2.
func readVersion(n *node) error {
	if err := n.expect(textNode); n == nil || err != nil {
		return err
	}
	m := versionForm.FindStringSubmatch(n.text)
	if m == nil || !slices.Contains([]string{"", "1", "2"}, m[1]) {
		return n.fault("it is no schema of ERC-7730 in version 1 or 2")
	}
	return nil
}

// metadata reads the names, and checks the rest.
func (d *descriptor) metadata(n *node) error {
	if err := n.object("owner", "contractName", "info", "constants", "enums"); err != nil {
		return err
	}
	for key, into := range map[string]*string{"owner": &d.owner, "contractName": &d.contract} {
		text, err := n.textOf(key)
		if err != nil {
			return err
		}
		*into = plaintext.Text(text, nameLimit)
	}
	if err := n.member("info").object("url", "deploymentDate", "legalName", "lastUpdate"); err != nil {
		return err
	}
	for _, key := range []string{"constants", "enums"} {
		if err := n.member(key).expect(objectNode); err != nil {
			return err
		}
	}
	return nil
}

// context reads what a descriptor is for.
func (d *descriptor) context(n *node) error {
	if n == nil {
		return nil
	}
	if err := n.object("contract", "eip712"); err != nil {
		return err
	}
	contract, message := n.member("contract"), n.member("eip712")
	if (contract == nil) == (message == nil) {
		return n.fault("it has not exactly one of contract and eip712")
	}
	if contract != nil {
		if err := contract.object("deployments", "abi"); err != nil {
			return err
		}
		return d.deploy(contract.member("deployments"))
	}
	d.isMessage = true
	if err := message.object("deployments", "domain", "schemas"); err != nil {
		return err
	}
	if err := d.deploy(message.member("deployments")); err != nil {
		return err
	}
	return d.readDomain(message.member("domain"))
}

// deploy reads a list of contracts.
func (d *descriptor) deploy(n *node) error {
	if err := n.list(maxDeployments); n == nil || err != nil {
		return err
	}
	for _, item := range n.items {
		// Here chainId is not that of a value.
		if err := item.object("chainId", "address"); err != nil {
			return err
		}
		chain, address := item.member("chainId"), item.member("address")
		if chain == nil || address == nil {
			return item.fault("it has no chainId or no address")
		}
		if err := d.addDeployment(chain, address); err != nil {
			return err
		}
	}
	return nil
}

func (d *descriptor) addDeployment(chain, address *node) error {
	id, ok := parseNumber(chain.text)
	if chain.kind != numberNode || !ok || !id.IsUint64() || id.Sign() <= 0 {
		return chain.fault("it is no chain id")
	}
	contract, err := evm.ParseAddress(address.text)
	if err != nil {
		return address.fault("%w", err)
	}
	d.deployments = append(d.deployments, deployment{id.Uint64(), contract})
	return nil
}

// readDomain reads what the domain of a message has to have. Its chain and its contract are a deployment.
func (d *descriptor) readDomain(n *node) error {
	if err := n.object("name", "version", "chainId", "verifyingContract"); n == nil || err != nil {
		return err
	}
	d.domain = map[string]string{}
	for _, key := range []string{"name", "version"} {
		if m := n.member(key); m != nil {
			if err := m.expect(textNode); err != nil {
				return err
			}
			d.domain[key] = m.text
		}
	}
	chain, contract := n.member("chainId"), n.member("verifyingContract")
	if (chain == nil) != (contract == nil) || chain != nil && len(d.deployments) > 0 {
		return n.fault("want chainId and verifyingContract here, or deployments")
	}
	if chain == nil {
		return nil
	}
	return d.addDeployment(chain, contract)
}

// format reads the format of one function or message.
func (d *descriptor) format(root, n *node) error {
	if d.isMessage || d.isEncodedType(root, n) {
		return d.message(root, n)
	}
	f, err := functionOf(root, n)
	if err != nil {
		return err
	}
	if !f.hasNames() {
		return n.fault("its arguments have no names: write them, as in transfer(address to,uint256 value)")
	}
	if d.calls[f.selector()] != nil {
		return n.fault("the function %s is there twice", f.signature())
	}
	r := formatReader{root: root, data: f.arguments}
	read, err := r.read(n)
	if err != nil {
		return err
	}
	// The arguments themselves have no offset.
	arguments := *f.arguments
	arguments.isDynamic = false
	d.calls[f.selector()] = &described{d, f.signature(), &arguments, read}
	return nil
}

// isEncodedType reports whether a descriptor without a context has a format for a message.
func (d *descriptor) isEncodedType(root, n *node) bool {
	_, _, err := parseEncodedType(n.key)
	_, notFunction := parseFunction(n.key)
	return root.member("context") == nil && err == nil && notFunction != nil
}

// functionOf returns the function of a format. In version 1 its names may be in the ABI of the context.
func functionOf(root, n *node) (function, error) {
	f, err := parseFunction(n.key)
	if err != nil {
		return f, n.fault("%w", err)
	}
	abi := root.member("context").member("contract").member("abi")
	if f.hasNames() || abi == nil || abi.kind == textNode {
		// A URL of an ABI is not needed if the names are written.
		return f, nil
	}
	if err := abi.list(maxNodes); err != nil {
		return f, err
	}
	for _, item := range abi.items {
		if kind, _ := item.textOf("type"); kind != "function" {
			continue
		}
		named, err := functionOfABI(item)
		if err != nil {
			return f, err
		}
		if named.signature() == f.signature() {
			return named, nil
		}
	}
	return f, nil
}

// message reads the format of a message.
func (d *descriptor) message(root, n *node) error {
	primary, declared, err := parseEncodedType(n.key)
	if err != nil && !strings.Contains(n.key, "(") {
		primary, declared, err = schemaOf(root, n.key)
	}
	if err != nil {
		return n.fault("%w", err)
	}
	t, err := declared.typeOf(primary)
	if err != nil {
		return n.fault("%w", err)
	}
	encoded := declared.encode(primary)
	if d.messages[encoded] != nil {
		return n.fault("the type is there twice")
	}
	r := formatReader{root: root, data: t}
	read, err := r.read(n)
	if err != nil {
		return err
	}
	d.messages[encoded] = &described{d, encoded, t, read}
	return nil
}

// schemaOf returns the schema of a primary type, which version 1 has in the context.
func schemaOf(root *node, primary string) (string, structs, error) {
	schemas := root.member("context").member("eip712").member("schemas")
	if schemas != nil && schemas.kind == listNode {
		for _, item := range schemas.items {
			if name, _ := item.textOf("primaryType"); name == primary {
				all, err := structsOfSchema(item.member("types"))
				return primary, all, err
			}
		}
	}
	return "", nil, fmt.Errorf("there is no schema of %.80q: write the encoded type, such as Mail(address to,string text)", primary)
}

// hasDomain reports whether a domain has what the descriptor demands.
func (d *descriptor) hasDomain(domain map[string]any) bool {
	for key, want := range d.domain {
		if got, ok := domain[key].(string); !ok || got != want {
			return false
		}
	}
	return true
}

// chainNumber returns the id of a chain as a number; 0 for one that is too large.
func chainNumber(chain *big.Int) uint64 {
	if chain == nil || !chain.IsUint64() {
		return 0
	}
	return chain.Uint64()
}
