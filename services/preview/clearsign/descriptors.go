package clearsign

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"os"
	"path"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	// maxFileBytes bounds a file, maxFiles their number, and maxBytes all of them.
	maxFileBytes = 256 << 10
	maxFiles     = 2000
	maxBytes     = 32 << 20
)

// Call is a call of a contract.
type Call struct {
	Chain       *big.Int
	Account, To evm.Address
	Value       *big.Int
	Data        []byte
}

// Message is typed data (EIP-712) that an account signs. Types, Domain and Values are as in its JSON, with numbers as [json.Number].
type Message struct {
	Chain         *big.Int
	Account       evm.Address
	PrimaryType   string
	Types, Domain map[string]any
	Values        map[string]any
}

// Descriptors describe requests. They are safe for concurrent use.
type Descriptors struct {
	// calls and messages are those of the operator's descriptors.
	calls    map[deployment]map[selector]*described
	messages map[deployment]map[string]*described
	bundled  []bundle
}

// Load reads all descriptors (*.json) below a folder, and the bundled ones. An empty folder is none. The error names the file and the place in it.
func Load(folder string) (*Descriptors, error) {
	d := empty()
	var err error
	if d.bundled, err = bundles(); err != nil || folder == "" {
		return d, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	return d, d.load(root.FS())
}

func empty() *Descriptors {
	return &Descriptors{calls: map[deployment]map[selector]*described{}, messages: map[deployment]map[string]*described{}}
}

// load adds the descriptors of a folder.
func (d *Descriptors) load(folder fs.FS) error {
	l := &loader{folder: folder, trees: map[string]*node{}}
	files, err := l.files()
	if err != nil {
		return err
	}
	for _, file := range files {
		own, err := l.tree(file)
		if err != nil {
			return err
		}
		root, err := l.withIncludes(own, 0)
		if err != nil {
			return err
		}
		// A file without a context is for others to include.
		read, err := readDescriptor(root, root.member("context") != nil)
		if err != nil {
			return err
		}
		if err := d.add(read); err != nil {
			return err
		}
	}
	return nil
}

// add adds a descriptor. Two that describe one function, or one message, of a contract are a fault.
func (d *Descriptors) add(read *descriptor) error {
	for _, at := range read.deployments {
		if err := join(d.calls, at, read.calls); err != nil {
			return err
		}
		if err := join(d.messages, at, read.messages); err != nil {
			return err
		}
	}
	return nil
}

// join adds what is described of a contract, by selectors or by encoded types.
func join[K comparable](all map[deployment]map[K]*described, at deployment, more map[K]*described) error {
	if all[at] == nil {
		all[at] = map[K]*described{}
	}
	for key, f := range more {
		if other := all[at][key]; other != nil {
			return fmt.Errorf("%s: %s describes %.120s of %s on chain %d as well", f.by.file, other.by.file, f.name, at.contract, at.chain)
		}
		all[at][key] = f
	}
	return nil
}

// Call describes a call; false for one that no descriptor describes, or that does not fit its descriptor. A descriptor of the operator comes before the
// bundled ones. is says whether a contract of the chain has a role.
func (d *Descriptors) Call(c Call, is func(Role, evm.Address) bool) (Description, bool) {
	r := &describer{descriptors: d, is: is, chain: c.Chain, left: maxRows}
	return r.call(c, 0)
}

func (d *describer) call(c Call, depth int) (Description, bool) {
	if len(c.Data) < selectorSize {
		return Description{}, false
	}
	f := d.find(c.To, selector(c.Data))
	if f == nil {
		return Description{}, false
	}
	root := encoded{of: f.of, frame: c.Data[selectorSize:]}
	return f.apply(d, data{from: c.Account, to: c.To, value: c.Value, chain: d.chain, root: root}, depth)
}

// find returns what describes a function of a contract, or nil.
func (d *describer) find(contract evm.Address, function selector) *described {
	if f := d.descriptors.calls[deployment{chainNumber(d.chain), contract}][function]; f != nil {
		return f
	}
	for _, b := range d.descriptors.bundled {
		if f := b.calls[function]; f != nil && d.is(b.role, contract) {
			return f
		}
	}
	return nil
}

// Message describes typed data as [Descriptors.Call] does a call. Typed data for another chain, or for no contract, is not described.
func (d *Descriptors) Message(m Message, is func(Role, evm.Address) bool) (Description, bool) {
	chain, isNumber := parseNumber(m.Domain["chainId"])
	text, _ := m.Domain["verifyingContract"].(string)
	contract, err := evm.ParseAddress(text)
	declared, ok := structsOfTypes(m.Types)
	if !isNumber || m.Chain == nil || chain.Cmp(m.Chain) != 0 || err != nil || !ok {
		return Description{}, false
	}
	f := d.message(m, contract, declared.encode(m.PrimaryType), is)
	if f == nil {
		return Description{}, false
	}
	r := &describer{descriptors: d, is: is, chain: m.Chain, left: maxRows}
	return f.apply(r, data{from: m.Account, to: contract, value: new(big.Int), chain: m.Chain, root: decoded{f.of, m.Values}}, 0)
}

// message returns what describes a message for a contract, or nil.
func (d *Descriptors) message(m Message, contract evm.Address, encodedType string, is func(Role, evm.Address) bool) *described {
	if f := d.messages[deployment{chainNumber(m.Chain), contract}][encodedType]; f != nil && f.by.hasDomain(m.Domain) {
		return f
	}
	for _, b := range d.bundled {
		if f := b.messages[encodedType]; f != nil && b.hasDomain(m.Domain) && is(b.role, contract) {
			return f
		}
	}
	return nil
}

// structsOfTypes reads the declarations of typed data; false for malformed ones.
func structsOfTypes(types map[string]any) (structs, bool) {
	all := structs{}
	if len(types) > maxStructs {
		return nil, false
	}
	for name, list := range types {
		items, _ := list.([]any)
		members := make([]declared, 0, len(items))
		for _, item := range items {
			member, _ := item.(map[string]any)
			named, isNamed := member["name"].(string)
			of, isTyped := member["type"].(string)
			if !isNamed || !isTyped {
				return nil, false
			}
			members = append(members, declared{named, of})
		}
		all[name] = members
	}
	return all, true
}

// loader reads the files of a folder, each once.
type loader struct {
	folder fs.FS
	trees  map[string]*node
	bytes  int
}

// files lists the descriptors of a folder and those below it, sorted. Those that begin with a dot are left out, such as the versions of a mounted folder.
func (l *loader) files() (all []string, err error) {
	err = fs.WalkDir(l.folder, ".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case file == ".":
		case strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.IsDir() && path.Ext(file) == ".json":
			all = append(all, file)
		}
		if len(all) > maxFiles {
			return fmt.Errorf("there are over %d descriptors", maxFiles)
		}
		return nil
	})
	return all, err
}

// tree returns the JSON of a file.
func (l *loader) tree(file string) (*node, error) {
	if t := l.trees[file]; t != nil {
		return t, nil
	}
	f, err := l.folder.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	raw, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > maxFileBytes {
		return nil, fmt.Errorf("%s: it has over %d bytes", file, maxFileBytes)
	}
	if l.bytes += len(raw); l.bytes > maxBytes {
		return nil, errors.New("the descriptors are too large together")
	}
	t, err := parseTree(file, raw)
	if err == nil {
		l.trees[file] = t
	}
	return t, err
}
