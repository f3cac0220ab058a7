package storetest

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

// Link is a proxy between a PostgreSQL database and its clients that a test cuts or freezes. It is safe for concurrent use.
type Link struct {
	// DSN is that of the database through the link.
	DSN string

	socket, to string
	mu         sync.Mutex
	listener   net.Listener
	open       []net.Conn

	frozen atomic.Bool
	// freezeAt is the text of clients after which the link freezes; nil for none.
	freezeAt atomic.Pointer[[]byte]
	froze    chan struct{}
}

// LinkTo returns a link to a database of [PostgreSQL]. The test is skipped if the database is not reached by a socket.
func LinkTo(t testing.TB, dsn string) *Link {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	host := u.Query().Get("host")
	if host == "" {
		t.Skip("the database of " + EnvDSN + " is reached otherwise than by a socket")
	}
	dir := t.TempDir()
	q := u.Query()
	q.Set("host", dir)
	u.RawQuery = q.Encode()
	l := &Link{DSN: u.String(), socket: filepath.Join(dir, ".s.PGSQL.5432"), to: filepath.Join(host, ".s.PGSQL.5432"), froze: make(chan struct{})}
	l.Restore(t)
	t.Cleanup(l.Cut)
	return l
}

// Restore accepts connections again.
func (l *Link) Restore(t testing.TB) {
	t.Helper()
	listener, err := net.Listen("unix", l.socket)
	if err != nil {
		t.Fatal(err)
	}
	l.mu.Lock()
	l.listener = listener
	l.mu.Unlock()
	ctx := context.WithoutCancel(t.Context())
	routine.Go(ctx, func() error {
		for {
			here, err := listener.Accept()
			if err != nil {
				return err
			}
			there, err := net.Dial("unix", l.to)
			if err != nil {
				_ = here.Close()
				continue
			}
			l.mu.Lock()
			l.open = append(l.open, here, there)
			l.mu.Unlock()
			routine.Go(ctx, func() error { return l.pump(here, there, false) })
			routine.Go(ctx, func() error { return l.pump(there, here, true) })
		}
	})
}

// Freeze makes the link drop what it receives, as a host or a network does that fails. Connections stay open.
func (l *Link) Freeze() {
	if !l.frozen.Swap(true) {
		close(l.froze)
	}
}

// FreezeAfter freezes the link once a client has sent a text.
func (l *Link) FreezeAfter(text string) {
	raw := []byte(text)
	l.freezeAt.Store(&raw)
}

// Frozen returns a channel that closes when the link freezes.
func (l *Link) Frozen() <-chan struct{} { return l.froze }

// pump copies until from ends.
func (l *Link) pump(to io.Writer, from io.Reader, isClient bool) error {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return err
		}
		if !l.frozen.Load() {
			_, _ = to.Write(buffer[:n])
		}
		if text := l.freezeAt.Load(); isClient && text != nil && bytes.Contains(buffer[:n], *text) {
			l.Freeze()
		}
	}
}

// Cut closes every connection and accepts no more.
func (l *Link) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.listener.Close()
	for _, c := range l.open {
		_ = c.Close()
	}
	l.open = nil
}
