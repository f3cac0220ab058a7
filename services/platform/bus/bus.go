package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// callTimeout bounds each call to the server.
	callTimeout = 5 * time.Second
	// reconnectWait is the pause between attempts to reach a server that went away.
	reconnectWait = 250 * time.Millisecond
)

// Config configures the NATS server.
type Config struct {
	URL         string `yaml:"url" doc:"NATS servers, as nats://host:4222; empty starts one inside this process" secret:"url"`
	Credentials string `yaml:"credentials" doc:"file with NATS user credentials; empty for none"`
	Authorities string `yaml:"authorities" doc:"file with the authorities (PEM) that the certificates of the servers must be of: connects by TLS only. Empty for those of the system, if a server asks for TLS or url has tls://"`
	Certificate string `yaml:"certificate" doc:"file with the certificate (PEM) that this process shows to the servers; empty for none"`
	Key         string `yaml:"key" doc:"file with the key of the certificate (PEM)"`
	Dir         string `yaml:"dir" doc:"folder of the server inside this process; empty for nats/ in data_dir"`
	Replicas    int    `yaml:"replicas" doc:"copies of each stream that a cluster keeps: 1, 3 or 5"`
}

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	for address := range strings.SplitSeq(c.URL, ",") {
		if address = strings.TrimSpace(address); !strings.Contains(address, "://") {
			address = "nats://" + address
		}
		// Its error would hold the address, which may hold a password.
		if _, err := url.Parse(address); err != nil {
			faults = append(faults, config.Faultf("url", "it is not a list of URLs such as nats://host:4222"))
		}
	}
	faults = append(faults, c.checkTLS()...)
	if c.Replicas != 1 && c.Replicas != 3 && c.Replicas != 5 {
		faults = append(faults, config.Faultf("replicas", "it is not 1, 3 or 5"))
	}
	return faults
}

// Bus is a connection to the NATS server that transports events. It is safe for concurrent use.
type Bus struct {
	replicas int
	clock    clock.Clock
	conn     *nats.Conn
	js       jetstream.JetStream
	embedded *embedded
	// relaxed is the second server inside this process, with its connection; both are nil until [Bus.Relaxed].
	relaxed     *embedded
	relaxedConn *nats.Conn

	mu      sync.Mutex
	streams map[string]jetstream.Stream
	readers map[*reader]struct{}
	// lost holds, by owner, why a stream was lost. An entry is removed when its readers have recovered.
	lost map[string]error
	// seen has, by owner, the newest event of a stream when it was last checked.
	seen map[string]uint64
	// storing records whether events are being stored.
	storing storing
	// inProcess is the last event that was in process, and since when.
	inProcess struct {
		id    string
		since time.Time
	}
	// creating is held while a stream is created.
	creating sync.Mutex

	// unobserve ends the metrics; nil before they began.
	unobserve func()
	// reconnected receives a value when the connection is established again.
	reconnected   chan struct{}
	closing       context.Context
	close         context.CancelFunc
	subscriptions routine.WaitGroup
}

// Open connects to the server at cfg.URL, or starts one in cfg.Dir. It fails when the server does not answer within seconds, or is before oldestServer.
func Open(ctx context.Context, cfg Config) (*Bus, error) {
	b := &Bus{
		replicas: max(1, cfg.Replicas), clock: clock.System{}, streams: map[string]jetstream.Stream{},
		readers: map[*reader]struct{}{}, lost: map[string]error{}, seen: map[string]uint64{}, reconnected: make(chan struct{}, 1),
	}
	b.closing, b.close = context.WithCancel(context.Background())
	if err := b.connect(cfg); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	if err := b.Ready(ctx); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	b.unobserve = b.observe()
	b.subscriptions.Go(b.closing, b.watch)
	if b.embedded == nil {
		b.subscriptions.Go(b.closing, b.leaveCutOff)
	}
	return b, nil
}

// connOptions are the options of every connection.
func (b *Bus) connOptions() []nats.Option {
	return []nats.Option{
		nats.Name("hawser"),
		nats.Timeout(callTimeout),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(reconnectWait),
		// While the server does not answer, calls fail at once. Events that must not be lost are in an outbox.
		nats.ReconnectBufSize(-1),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { logDisconnect(b.closing, err) }),
		nats.ReconnectHandler(func(*nats.Conn) {
			slog.Info("bus reconnected")
			b.checkNow()
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { slog.Warn("bus", "error", err) }),
	}
}

func (b *Bus) connect(cfg Config) (err error) {
	options := b.connOptions()
	if cfg.Credentials != "" {
		options = append(options, nats.UserCredentials(cfg.Credentials))
	}
	if cfg.Authorities != "" || cfg.Certificate != "" {
		options = append(options, cfg.secure())
	}
	if cfg.URL == "" {
		if b.embedded, err = startServer(cfg.Dir, false); err != nil {
			return fmt.Errorf("start NATS server: %w", err)
		}
		options = append(options, nats.InProcessServer(b.embedded))
	}
	if b.conn, err = nats.Connect(cfg.URL, options...); err != nil {
		return fmt.Errorf("connect to NATS: %w", err)
	}
	if version := b.conn.ConnectedServerVersion(); b.embedded == nil && !isServed(version) {
		return fmt.Errorf("it is nats-server %s, and hawser needs %d.%d or later", version, oldestServer[0], oldestServer[1])
	}
	if b.js, err = jetstream.New(b.conn); err != nil {
		return fmt.Errorf("open JetStream: %w", err)
	}
	return nil
}

// oldestServer is the oldest version of nats-server that is used, major and minor. It is the first that deletes messages at times of their own, without
// which mailboxes of the relay and limits of callers would grow.
var oldestServer = [2]int{2, 11}

// isServed reports whether a version is oldestServer or later. One that does not parse, such as that of a build from a branch, is used.
func isServed(version string) bool {
	var v [2]int
	_, err := fmt.Sscanf(version, "%d.%d.", &v[0], &v[1])
	return err != nil || slices.Compare(v[:], oldestServer[:]) >= 0
}

// Ready reports whether JetStream answers, takes events, and gives them to the readers of this process.
func (b *Bus) Ready(ctx context.Context) error {
	if !b.conn.IsConnected() {
		return errNotConnected
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if _, err := b.js.AccountInfo(ctx); err != nil {
		return fmt.Errorf("JetStream does not answer: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	errs := []error{b.storing.failure(b.clock.Now())}
	for owner, err := range b.lost {
		errs = append(errs, fmt.Errorf("the events of %s were lost and are not read again yet: %w", owner, err))
	}
	return errors.Join(errs...)
}

// Relaxed returns a connection for many small messages that are not events. If the server runs inside this process, the
// connection leads to a second server, which writes each message before it acknowledges and flushes to disk once a
// second: a killed process loses nothing, a power failure may lose the last second. Otherwise it leads to the
// configured server. [Bus.Close] closes the connection.
func (b *Bus) Relaxed() (*nats.Conn, error) {
	if b.embedded == nil {
		return b.conn, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.relaxedConn != nil {
		return b.relaxedConn, nil
	}
	var err error
	if b.relaxed, err = startServer(filepath.Join(b.embedded.dir, "relaxed"), true); err != nil {
		return nil, fmt.Errorf("start relaxed NATS server: %w", err)
	}
	b.relaxedConn, err = nats.Connect("", append(b.connOptions(), nats.InProcessServer(b.relaxed))...)
	return b.relaxedConn, err
}

// Shared returns the connection to the servers. It returns false if the server is inside this process, where no other process reaches it.
func (b *Bus) Shared() (conn *nats.Conn, ok bool) { return b.conn, b.embedded == nil }

// Replicas returns how many copies of each stream a cluster keeps.
func (b *Bus) Replicas() int { return b.replicas }

// Close ends the subscriptions, waits for running handlers, and stops the server if it runs inside this process.
// Closing again does nothing.
func (b *Bus) Close() error {
	if b.closing.Err() != nil {
		return nil
	}
	b.close()
	if b.unobserve != nil {
		b.unobserve()
	}
	b.subscriptions.Wait()
	for _, conn := range []*nats.Conn{b.relaxedConn, b.conn} {
		if conn != nil {
			conn.Close()
		}
	}
	var errs []error
	for _, server := range []*embedded{b.relaxed, b.embedded} {
		if server != nil {
			errs = append(errs, server.stop())
		}
	}
	return errors.Join(errs...)
}

func logDisconnect(closing context.Context, err error) {
	if err != nil && closing.Err() == nil {
		slog.Warn("bus disconnected", "error", err)
	}
}

// IsUnavailable reports whether err means that no NATS server answers, or that the server that answers has no JetStream
// or no stream leader at the moment.
func IsUnavailable(err error) bool {
	if refused, ok := errors.AsType[*jetstream.APIError](err); ok {
		return refused.Code == http.StatusServiceUnavailable || slices.Contains(notYet, refused.ErrorCode)
	}
	if _, unreachable := errors.AsType[net.Error](err); unreachable {
		return true
	}
	return slices.ContainsFunc(unavailable, func(one error) bool { return errors.Is(err, one) })
}

// notYet are the error codes of a cluster that is not complete: too few servers for the replicas of a stream, a server that is not assigned or does not
// lead, a stream or consumer that was not created in time or is offline, and a stream that the server does not know yet: every process makes its streams.
var notYet = []jetstream.ErrorCode{10005, 10007, 10009, 10012, 10049, 10059, 10118, 10119, 10194, 10195}

// errNotConnected means that there is no connection at the moment.
var errNotConnected = errors.New("not connected to NATS")

// unavailable are the errors of a server that does not answer, or that went away during a request.
var unavailable = []error{
	errNotConnected, nats.ErrNoServers, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting, nats.ErrStaleConnection,
	nats.ErrReconnectBufExceeded, jetstream.ErrNoStreamResponse, jetstream.ErrNoHeartbeat, context.DeadlineExceeded,
}
