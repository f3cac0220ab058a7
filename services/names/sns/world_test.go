package sns

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/svm"
)

var now = time.Unix(1_800_000_000, 0)

// world holds the accounts of a chain, and implements its nodes.
type world struct {
	accounts map[svm.Address]svm.Account
	// places are the token accounts with units of a mint.
	places map[svm.Address][]place
	// down makes every request fail, and refused makes requests for the holders of a mint fail.
	down, refused bool
}

type place struct {
	Address string `json:"address"`
	Amount  string `json:"amount"`
}

func newWorld() *world {
	return &world{accounts: map[svm.Address]svm.Account{}, places: map[svm.Address][]place{}}
}

func (w *world) chain() Chain { return Chain{Send: w.send, Now: now} }

// send implements [chainclient.Transport].
func (w *world) send(_ context.Context, body []byte) ([]byte, error) {
	if w.down {
		return nil, errors.New("no node answers")
	}
	var calls []struct {
		ID     int
		Method string
		Params []json.RawMessage
	}
	if err := json.Unmarshal(body, &calls); err != nil {
		return nil, err
	}
	var answers []map[string]any
	for _, call := range calls {
		answer := map[string]any{"jsonrpc": "2.0", "id": call.ID}
		if call.Method == "getMultipleAccounts" {
			answer["result"] = map[string]any{"context": map[string]int{"slot": 1}, "value": w.read(call.Params[0])}
		} else if w.refused {
			answer["error"] = map[string]any{"code": -32601, "message": "Method not found"}
		} else {
			var mint string
			_ = json.Unmarshal(call.Params[0], &mint)
			answer["result"] = map[string]any{"context": map[string]int{"slot": 1}, "value": w.places[svm.MustAddress(mint)]}
		}
		answers = append(answers, answer)
	}
	return json.Marshal(answers)
}

func (w *world) read(addresses json.RawMessage) (values []any) {
	var all []string
	_ = json.Unmarshal(addresses, &all)
	for _, text := range all {
		a, ok := w.accounts[svm.MustAddress(text)]
		if !ok {
			values = append(values, nil)
			continue
		}
		values = append(values, map[string]any{"owner": a.Program.String(), "lamports": 1, "data": []string{base64.StdEncoding.EncodeToString(a.Data), "base64"}})
	}
	return values
}

func (w *world) put(address, program svm.Address, parts ...[]byte) {
	w.accounts[address] = svm.Account{Program: program, Data: bytes.Join(parts, nil)}
}

// register writes a name with its text.
func (w *world) register(t *testing.T, text string, owner svm.Address) svm.Address {
	t.Helper()
	n := name(t, text)
	account, parent := n.account()
	w.put(account, nameProgram, parent[:], owner[:], none[:])
	label, reverseParent := n.Label, none
	if n.Sub != "" {
		label, reverseParent = subPrefix+n.Sub, parent
	}
	w.put(reverseAccount(account, reverseParent), nameProgram, reverseParent[:], none[:], reverseClass[:], length(label), []byte(label))
	return account
}

// wrap wraps a name in an NFT that an account holds.
func (w *world) wrap(account, holder svm.Address) {
	nftRecord, mint := wrapping(account)
	w.put(nftRecord, tokenizer, []byte{wrapped, 255}, account[:], holder[:], mint[:])
	parent := svm.NewCursor(w.accounts[account].Data, 0).Address()
	w.put(account, nameProgram, parent[:], nftRecord[:], none[:])
	w.mint(mint, svm.TokenProgram, holder)
}

// mint writes an NFT and the token account that holds it.
func (w *world) mint(mint, program, holder svm.Address) {
	w.put(mint, program, make([]byte, 36), units(1), []byte{0, 1}, make([]byte, 36))
	account := svm.AssociatedAccount(holder, mint, program)
	w.put(account, program, mint[:], holder[:], units(1), make([]byte, 36), []byte{1}, make([]byte, 56))
	w.places[mint] = []place{{account.String(), "1"}}
}

// recordV2 writes a SOL record of version 2.
func (w *world) recordV2(account, writer, confirmer, destination svm.Address, writing, confirming uint16) {
	w.put(nameAccount("\x02SOL", recordClass, account), nameProgram, account[:], writer[:], recordClass[:],
		binary.LittleEndian.AppendUint16(nil, writing), binary.LittleEndian.AppendUint16(nil, confirming), []byte{32, 0, 0, 0},
		writer[:], confirmer[:], destination[:])
}

// recordV1 writes a SOL record of version 1, signed with a key.
func (w *world) recordV1(account, destination svm.Address, key ed25519.PrivateKey) {
	address := nameAccount("\x01SOL", none, account)
	signature := ed25519.Sign(key, []byte(hex.EncodeToString(slices.Concat(destination[:], address[:]))))
	w.put(address, nameProgram, account[:], none[:], none[:], destination[:], signature)
}

// recordSol writes a record of .sol.
func (w *world) recordSol(label string, owner svm.Address, byToken bool, expires int64) {
	record, _ := solAccounts(label)
	kind := byte(ownedByAccount)
	if byToken {
		kind = ownedByToken
	}
	w.put(record, recordService, []byte{solRecordKind}, solClass[:], []byte{kind}, owner[:], []byte{0}, units(uint64(expires)), []byte{byte(len(label))}, []byte(label))
}

// prefer sets the primary name of an account.
func (w *world) prefer(owner, account svm.Address) {
	w.put(primaryAccount(owner), offers, []byte{primaryKind}, account[:])
}

func name(t *testing.T, text string) Name {
	t.Helper()
	n, ok := ParseName(text)
	if !ok {
		t.Fatalf("%s is no name", text)
	}
	return n
}

// keyOf returns a key that is the same in every run, and its account.
func keyOf(seed byte) (ed25519.PrivateKey, svm.Address) {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))
	return key, svm.Address(key.Public().(ed25519.PublicKey))
}

func wallet(seed byte) svm.Address {
	_, account := keyOf(seed)
	return account
}

func units(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }

func length(text string) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(len(text))) }

var _ chainclient.Transport = (&world{}).send
