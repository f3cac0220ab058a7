package e2e

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/evm/account"
	"github.com/hawser-dev/hawser/services/names/namestest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// envKills is how many kills each shape of the suite gets; five where it is not set. `make kills` sets it to a hundred.
const envKills = "HAWSER_KILLS"

// TestEveryAcknowledgedWriteIsThereOnceOverKills writes to a suite whose processes are killed with SIGKILL at random, and then compares the
// database and the chain with what was acknowledged: names, what they say, orders, payments and the messages of sellers about them. It prints
// how long the suite took to recover.
func TestEveryAcknowledgedWriteIsThereOnceOverKills(t *testing.T) {
	t.Parallel()
	kills := 5
	if text := os.Getenv(envKills); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s is not a number", envKills)
		}
	}
	t.Run("all in one on SQLite", func(t *testing.T) { newKillable(t, false).endure(t, kills) })
	t.Run("a process a service on PostgreSQL with two replicas", func(t *testing.T) { newKillable(t, true).endure(t, kills) })
}

// killable is a suite whose processes may be killed and started again.
type killable struct {
	devnet    *devnettest.Devnet
	dsn       string
	gateways  []string // URLs
	processes []*killableProcess

	// written counts what was acknowledged.
	written atomic.Int64
	// stop ends the writers.
	stop chan struct{}

	mu       sync.Mutex
	names    []*writtenName
	orders   []*writtenOrder
	refusals map[string]int
}

type killableProcess struct {
	name, config string
	cmd          *exec.Cmd
}

// writtenName is a name that was registered, or may have been.
type writtenName struct {
	name string
	// acknowledged are the registration, and then what it was told to say; doubt is a text that it may say instead.
	acknowledged bool
	says, doubt  string
}

// writtenOrder is a purchase that was begun, by a wallet of its own.
type writtenOrder struct {
	wallet, id string
	// paid says that the payment was acknowledged, and doubt that it may have been made.
	paid, doubt bool
}

func newKillable(t *testing.T, split bool) *killable {
	t.Helper()
	k := &killable{devnet: devnettest.Start(t), stop: make(chan struct{}), refusals: map[string]int{}}
	s := &suite{dir: t.TempDir()}
	s.write(t, "devnet.json", string(k.devnet.Raw))
	if !split {
		address := freeAddress(t)
		k.gateways = []string{"http://" + address}
		k.dsn = filepath.Join(s.dir, "hawser.db")
		k.add(t, s, "hawser", fmt.Sprintf("listen: {gateway: %q, metrics: %q}\n", address, freeAddress(t)))
		return k
	}
	k.dsn = storetest.PostgreSQL(t)
	bus := startNATS(t)
	const rest = "chains,projects,activity,balances,nfts,convert,updates"
	replicas := map[string][]string{"names": {freeAddress(t), freeAddress(t)}, "onramp": {freeAddress(t), freeAddress(t)}, rest: {freeAddress(t)}}
	var peers strings.Builder
	for target, addresses := range replicas {
		for name := range strings.SplitSeq(target, ",") {
			fmt.Fprintf(&peers, "  %s: %q\n", name, strings.Join(addresses, ","))
		}
	}
	shared := fmt.Sprintf("store: {dsn: %q, connections: 8}\nbus: {url: %q}\npeers:\n%s", k.dsn, bus, peers.String())
	doors := []string{freeAddress(t), freeAddress(t)}
	for _, door := range doors {
		k.gateways = append(k.gateways, "http://"+door)
	}
	for target, addresses := range replicas {
		for _, address := range addresses {
			k.add(t, s, target, shared+fmt.Sprintf("target: %q\nlisten: {grpc: %q, metrics: %q}\n", target, address, freeAddress(t)))
		}
	}
	for _, door := range doors {
		k.add(t, s, "gateway", shared+fmt.Sprintf("target: gateway\nlisten: {gateway: %q, metrics: %q}\n", door, freeAddress(t)))
	}
	return k
}

// add describes one process, with a folder of its own.
func (k *killable) add(t *testing.T, s *suite, name, extra string) {
	t.Helper()
	n := len(k.processes)
	config := strings.Replace(settings(s.dir, k.gateways[0], k.devnet), "data_dir: "+s.dir, fmt.Sprintf("data_dir: %s/%d", s.dir, n), 1)
	if k.dsn != "" && !strings.Contains(extra, "dsn:") {
		config += fmt.Sprintf("store: {dsn: %q}\n", k.dsn)
	}
	k.processes = append(k.processes, &killableProcess{name: name, config: s.write(t, fmt.Sprintf("%d.yaml", n), config+extra)})
}

// start starts a process, which logs to a file that is shown when the test fails.
func (p *killableProcess) start(t *testing.T) {
	t.Helper()
	log, err := os.OpenFile(p.config+".log", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	p.cmd = exec.Command(binary(t, plain))
	p.cmd.Env = append(os.Environ(), "HAWSER_CONFIG="+p.config)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
}

func (p *killableProcess) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// endure kills processes while writers write, and then checks that every acknowledged write is there once.
func (k *killable) endure(t *testing.T, kills int) {
	for _, p := range k.processes {
		p.start(t)
		t.Cleanup(p.kill)
	}
	t.Cleanup(func() {
		if t.Failed() {
			k.showLogs(t)
		}
	})
	k.untilReady(t)
	sent := k.payouts(t)
	var writers sync.WaitGroup
	for n := range 3 {
		writers.Go(func() { k.writeNames(n) })
	}
	for n := range 2 {
		writers.Go(func() { k.writeOrders(n) })
	}
	var ready, wrote []time.Duration
	for range kills {
		time.Sleep(time.Duration(rand.IntN(700)) * time.Millisecond)
		victims := k.victims()
		for _, v := range victims {
			v.kill()
		}
		begun := time.Now()
		for _, v := range victims {
			v.start(t)
		}
		if rand.IntN(5) == 0 { // some die while they start
			time.Sleep(time.Duration(10+rand.IntN(160)) * time.Millisecond)
			victims[0].kill()
			begun = time.Now()
			victims[0].start(t)
		}
		k.untilReady(t)
		ready = append(ready, time.Since(begun))
		k.untilWritten(t)
		wrote = append(wrote, time.Since(begun))
	}
	close(k.stop)
	writers.Wait()
	k.wantNames(t)
	k.wantOrders(t, sent)
	t.Logf("%d kills: ready again after %s, first write after %s", kills, spread(ready), spread(wrote))
	t.Logf("refusals meanwhile: %v", k.refusals)
}

// victims are one to four processes, each at most once.
func (k *killable) victims() []*killableProcess {
	all := slices.Clone(k.processes)
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:1+rand.IntN(min(4, len(all)))]
}

// spread prints the least, the median and the most.
func spread(times []time.Duration) string {
	slices.Sort(times)
	at := func(i int) time.Duration { return times[i].Round(time.Millisecond) }
	return fmt.Sprintf("min %s, median %s, max %s", at(0), at(len(times)/2), at(len(times)-1))
}

// untilReady returns when every gateway says that all works.
func (k *killable) untilReady(t *testing.T) {
	t.Helper()
	for _, gateway := range k.gateways {
		(&suite{url: gateway}).wait(t)
	}
}

// untilWritten returns when a write that began after the call was acknowledged.
func (k *killable) untilWritten(t *testing.T) {
	t.Helper()
	before := k.written.Load()
	for deadline := time.Now().Add(startTimeout); k.written.Load() == before; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing is written any more")
		}
	}
}

// send makes a request at one of the gateways. It returns status 0 when there was no answer.
func (k *killable) send(method, address, contentType, body string) (status int, answer []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return 0, nil
	}
	req.Header.Set("Content-Type", contentType)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		k.refused("no answer")
		return 0, nil
	}
	defer res.Body.Close()
	answer, err = io.ReadAll(res.Body)
	if err != nil {
		k.refused("half an answer")
		return 0, nil
	}
	if res.StatusCode == http.StatusOK {
		k.written.Add(1)
	} else {
		var refusal struct{ Code string }
		_ = json.Unmarshal(answer, &refusal)
		k.refused(fmt.Sprintf("%d %s", res.StatusCode, refusal.Code))
	}
	return res.StatusCode, answer
}

func (k *killable) refused(how string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.refusals[how]++
}

func (k *killable) gateway() string { return k.gateways[rand.IntN(len(k.gateways))] }

// going reports whether writers go on, after a short rest.
func (k *killable) going() bool {
	select {
	case <-k.stop:
		return false
	case <-time.After(20 * time.Millisecond):
		return true
	}
}

// writeNames registers one name after the other, each by an account of its own, and changes what it says.
func (k *killable) writeNames(writer int) {
	for n := 0; k.going(); n++ {
		by := namestest.NewAccount(100_000*(writer+1) + n)
		w := &writtenName{name: fmt.Sprintf("kill%d-%d.hawser.id", writer, n)}
		k.mu.Lock()
		k.names = append(k.names, w)
		k.mu.Unlock()
		message := fmt.Sprintf(`{"name":%q,"attributes":{"bio":"first"},"timestamp":%d}`, w.name, time.Now().Unix())
		status, _ := k.send(http.MethodPost, k.gateway()+"/v1/profile/account?projectId="+project, "text/plain", envelope(message, by.Sign(message), ether, by))
		if status != http.StatusOK {
			w.doubt = "first"
			continue
		}
		w.acknowledged, w.says = true, "first"
		message = fmt.Sprintf(`{"attributes":{"bio":"second"},"timestamp":%d}`, time.Now().Unix())
		status, _ = k.send(http.MethodPost, k.gateway()+"/v1/profile/account/"+w.name+"/attributes?projectId="+project, "text/plain", envelope(message, by.Sign(message), ether, by))
		if status == http.StatusOK {
			w.says = "second"
		} else {
			w.doubt = "second"
		}
	}
}

// writeOrders begins one purchase after the other and pays it, all for wallets of their own.
func (k *killable) writeOrders(writer int) {
	first := rand.Uint32()
	for n := 0; k.going(); n++ {
		w := &writtenOrder{wallet: fmt.Sprintf("0x%024x%08x%08x", writer+1, first, n+1)}
		k.mu.Lock()
		k.orders = append(k.orders, w)
		k.mu.Unlock()
		body := `{"projectId":"` + project + `","sessionData":{"serviceProvider":"BEACON-PAY","sourceAmount":"100","sourceCurrencyCode":"USD",` +
			`"destinationCurrencyCode":"tUSD","chainId":"` + devChain + `","walletAddress":"` + w.wallet + `","countryCode":"US"}}`
		status, answer := k.send(http.MethodPost, k.gateway()+"/v1/onramp/widget", "application/json", body)
		opened := &onrampv1.OpenWidgetResponse{}
		if status != http.StatusOK || protojson.Unmarshal(answer, opened) != nil {
			continue
		}
		w.id = opened.GetOrder().GetId()
		card := url.Values{"number": {cardSucceeds}, "expiry": {"12/40"}, "cvc": {"123"}, "name": {"Ada Lovelace"}}
		status, _ = k.send(http.MethodPost, opened.GetWidgetUrl()+"/pay", "application/x-www-form-urlencoded", card.Encode())
		w.paid, w.doubt = status == http.StatusOK, status != http.StatusOK
	}
}

// open reads the database beside the suite.
func (k *killable) open(t *testing.T) store.Queries {
	t.Helper()
	return storetest.Open(t, k.dsn).Reader()
}

// wantNames compares names, and the history of what was signed, with what was acknowledged.
func (k *killable) wantNames(t *testing.T) {
	db := k.open(t)
	acknowledged := 0
	for _, w := range k.names {
		var attributes string
		err := db.QueryRowContext(t.Context(), `SELECT attributes FROM names WHERE name = $1`, w.name).Scan(&attributes)
		if err == sql.ErrNoRows { //nolint:errorlint // Scan returns it as it is
			if w.acknowledged {
				t.Errorf("%s was acknowledged and is not there", w.name)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var said struct{ Bio string }
		if err := json.Unmarshal([]byte(attributes), &said); err != nil {
			t.Fatal(err)
		}
		if said.Bio != w.says && said.Bio != w.doubt {
			t.Errorf("%s says %q; acknowledged was %q, in doubt %q", w.name, said.Bio, w.says, w.doubt)
		}
		var changes int
		if err := db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM name_history WHERE name = $1`, w.name).Scan(&changes); err != nil {
			t.Fatal(err)
		}
		if want := map[string]int{"first": 1, "second": 2}[said.Bio]; changes != want {
			t.Errorf("%s says %q after %d changes", w.name, said.Bio, changes)
		}
		if w.acknowledged {
			acknowledged++
		}
	}
	t.Logf("names: %d acknowledged of %d", acknowledged, len(k.names))
}

// wantOrders waits until every payment has led to tokens, and compares orders, wallets and the treasury.
func (k *killable) wantOrders(t *testing.T, sentBefore int64) {
	db := k.open(t)
	chain := k.devnet.Chain(t, devChain)
	token := chain.Token(t, "tUSD").Address
	var ordered, paid, completed int64
	for _, w := range k.orders {
		var orders int
		if err := db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM onramp_orders WHERE LOWER(wallet) = $1`, w.wallet).Scan(&orders); err != nil {
			t.Fatal(err)
		}
		switch {
		case w.id != "" && orders != 1:
			t.Errorf("order %s was acknowledged and is there %d times", w.id, orders)
		case orders > 1:
			t.Errorf("wallet %s has %d orders of one request", w.wallet, orders)
		}
		if w.id == "" {
			continue
		}
		ordered++
		tokens := int64(0)
		if w.paid {
			paid++
			k.untilCompleted(t, db, w.id)
		}
		if w.doubt {
			k.untilSettled(t, db, w.id)
		}
		if k.state(t, db, w.id) == "completed" {
			tokens = 98_000_000
			completed++
		}
		if held := balanceOf(t, chain, token, w.wallet); held.Cmp(big.NewInt(tokens)) != 0 {
			t.Errorf("order %s is %s, and its wallet holds %s", w.id, k.state(t, db, w.id), held)
		}
	}
	if sent := k.payouts(t) - sentBefore; sent != completed {
		t.Errorf("the treasury sent %d transactions for %d completed orders", sent, completed)
	}
	t.Logf("orders: %d acknowledged of %d, %d of their payments, %d paid out", ordered, len(k.orders), paid, completed)
}

func (k *killable) state(t *testing.T, db store.Queries, id string) (state string) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), `SELECT state FROM onramp_orders WHERE id = $1`, id).Scan(&state); err != nil {
		t.Fatal(err)
	}
	return state
}

func (k *killable) untilCompleted(t *testing.T, db store.Queries, id string) {
	t.Helper()
	for deadline := time.Now().Add(2 * startTimeout); k.state(t, db, id) != "completed"; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("order %s was paid, and is %s", id, k.state(t, db, id))
		}
	}
}

// untilSettled waits while a payment that was in doubt is under way: its checkout has a step that needs no visitor soon, or news to tell.
func (k *killable) untilSettled(t *testing.T, db store.Queries, id string) {
	t.Helper()
	for deadline := time.Now().Add(2 * startTimeout); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var stage string
		var untold int
		const checkout = `SELECT stage FROM onramp_sandbox_checkouts WHERE order_id = $1`
		if err := db.QueryRowContext(t.Context(), checkout, id).Scan(&stage); err != nil {
			t.Fatal(err)
		}
		const events = `SELECT COUNT(*) FROM onramp_sandbox_events WHERE order_id = $1 AND due_at IS NOT NULL`
		if err := db.QueryRowContext(t.Context(), events, id).Scan(&untold); err != nil {
			t.Fatal(err)
		}
		if untold == 0 && slices.Contains([]string{"choosing", "paying", "completed"}, stage) {
			return
		}
	}
	t.Fatalf("order %s does not come to an end", id)
}

// payouts counts the transactions of the treasury.
func (k *killable) payouts(t *testing.T) int64 {
	t.Helper()
	treasury, err := account.ParseKey(treasuryKey)
	if err != nil {
		t.Fatal(err)
	}
	var count string
	if err := json.Unmarshal(k.devnet.Chain(t, devChain).Call(t, "eth_getTransactionCount", treasury.Address().String(), "latest"), &count); err != nil {
		t.Fatal(err)
	}
	n, err := strconv.ParseInt(strings.TrimPrefix(count, "0x"), 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// showLogs shows the end of what each process said.
func (k *killable) showLogs(t *testing.T) {
	for _, p := range k.processes {
		raw, _ := os.ReadFile(p.config + ".log")
		lines := bytes.Split(raw, []byte("\n"))
		t.Logf("end of the log of %s:\n%s", p.name, bytes.Join(lines[max(0, len(lines)-40):], []byte("\n")))
	}
}
