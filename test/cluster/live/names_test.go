//go:build cluster

package live

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"golang.org/x/crypto/sha3"
)

// account is an account of an EVM network.
type account struct{ key *secp256k1.PrivateKey }

func keccak(content []byte) []byte {
	h := sha3.NewLegacyKeccak256()
	_, _ = h.Write(content)
	return h.Sum(nil)
}

func newAccount(n int) account {
	return account{secp256k1.PrivKeyFromBytes(keccak(binary.BigEndian.AppendUint64([]byte("hawser cluster account"), uint64(n))))}
}

func (a account) address() string {
	return "0x" + hex.EncodeToString(keccak(a.key.PubKey().SerializeUncompressed()[1:])[12:])
}

// sign signs a text as wallets do (ERC-191).
func (a account) sign(message string) string {
	// The first byte is v, which wallets put at the end.
	compact := ecdsa.SignCompact(a.key, keccak(fmt.Appendf(nil, "\x19Ethereum Signed Message:\n%d%s", len(message), message)), false)
	return "0x" + hex.EncodeToString(append(compact[1:], compact[0]))
}

// register registers a name, and reports whether that was acknowledged.
func register(name string, by account) (acknowledged bool, told string) {
	const ether = "60"
	message := fmt.Sprintf(`{"name":%q,"timestamp":%d}`, name, time.Now().Unix())
	quoted, _ := json.Marshal(message)
	body := fmt.Sprintf(`{"message":%s,"signature":%q,"coin_type":%s,"address":%q}`, quoted, by.sign(message), ether, by.address())
	res, err := http.Post(door+"/v1/profile/account?projectId="+project, "text/plain", strings.NewReader(body))
	if err != nil {
		return false, err.Error()
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	return err == nil && res.StatusCode == http.StatusOK, fmt.Sprintf("%s %s", res.Status, answer)
}

// nameURL is where a name is looked up.
func nameURL(name string) string {
	return door + "/v1/profile/account/" + name + "?projectId=" + project
}

// writer registers one name after the other until it is ended.
type writer struct {
	stop         chan struct{}
	done         sync.WaitGroup
	acknowledged []string
	refused      int
}

func startWriter(prefix string) *writer {
	w := &writer{stop: make(chan struct{})}
	w.done.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-w.stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
			name := fmt.Sprintf("%s%d.hawser.id", prefix, n)
			if ok, _ := register(name, newAccount(n)); ok {
				w.acknowledged = append(w.acknowledged, name)
			} else {
				w.refused++
			}
		}
	})
	return w
}

// end stops the writer and looks up every name whose registration was acknowledged.
func (w *writer) end(t *testing.T) (told string) {
	t.Helper()
	close(w.stop)
	w.done.Wait()
	if len(w.acknowledged) == 0 {
		t.Fatal("no write was acknowledged")
	}
	lost := 0
	for _, name := range w.acknowledged {
		if reason := get(http.DefaultClient, nameURL(name)); reason != "" {
			lost++
			t.Errorf("%s was acknowledged and is not there: %s", name, reason)
		}
	}
	return fmt.Sprintf("%d of %d acknowledged writes lost, %d not acknowledged", lost, len(w.acknowledged), w.refused)
}
