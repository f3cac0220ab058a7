package bus

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
)

// startTimeout bounds how long the server inside this process may take to recover its streams.
const startTimeout = 30 * time.Second

// maxPayload is the largest message of the server inside this process, in bytes.
const maxPayload = 4 << 20

// syncInterval is how often a relaxed server flushes to disk.
const syncInterval = time.Second

// embedded is a server inside this process, and the lock on its folder.
type embedded struct {
	dir  string
	lock *flock.Flock
	// relaxed makes the server flush to disk once per syncInterval instead of before each acknowledgement.
	relaxed bool

	mu     sync.Mutex
	server runningServer
}

// runningServer is a [server.Server]. Every package that imports this one would compile generic code of the server if it saw that type in a field.
type runningServer interface {
	InProcessConn() (net.Conn, error)
	Shutdown()
	WaitForShutdown()
}

// startServer starts a server without a listener that stores its streams in dir. It flushes to disk before it acknowledges, unless it is relaxed.
func startServer(dir string, relaxed bool) (*embedded, error) {
	if dir == "" {
		return nil, errors.New("it needs a folder")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, err
	}
	if !locked {
		return nil, fmt.Errorf("another process uses %s", dir)
	}
	e := &embedded{dir: dir, lock: lock, relaxed: relaxed}
	if err := e.start(); err != nil {
		return nil, errors.Join(err, e.stop())
	}
	return e, nil
}

// start starts a server on the folder.
func (e *embedded) start() error {
	s, err := server.NewServer(&server.Options{
		ServerName:         "hawser",
		DontListen:         true,
		NoSigs:             true,
		JetStream:          true,
		StoreDir:           e.dir,
		SyncAlways:         !e.relaxed,
		SyncInterval:       syncInterval,
		MaxPayload:         maxPayload,
		JetStreamMaxMemory: 64 << 20,
		JetStreamMaxStore:  8 << 30,
	})
	if err != nil {
		return err
	}
	s.SetLoggerV2(serverLog{}, false, false, false)
	s.Start()
	e.server = s
	if !s.ReadyForConnections(startTimeout) {
		return fmt.Errorf("not ready after %s", startTimeout)
	}
	return nil
}

// InProcessConn returns a connection to the running server.
func (e *embedded) InProcessConn() (net.Conn, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.server == nil {
		return nil, errors.New("the NATS server does not run")
	}
	return e.server.InProcessConn()
}

// reopen stops the server and starts it on the same folder. Clients reconnect.
func (e *embedded) reopen() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.shutdown()
	return e.start()
}

// stop returns once the streams are on disk and the folder is free.
func (e *embedded) stop() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.shutdown()
	return e.lock.Close()
}

func (e *embedded) shutdown() {
	if e.server != nil {
		e.server.Shutdown()
		e.server.WaitForShutdown()
		e.server = nil
	}
}

// roomToReopen is how many bytes must be free in the folder before the server is opened on it again.
const roomToReopen = 1 << 20

// hasRoom reports whether a file of roomToReopen bytes can be written in the folder.
func (e *embedded) hasRoom() bool {
	f, err := os.CreateTemp(e.dir, "room-")
	if err != nil {
		return false
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.Write(make([]byte, roomToReopen))
	return errors.Join(err, f.Sync(), f.Close()) == nil
}

// serverLog logs the warnings and errors of the server inside this process, and drops its banner.
type serverLog struct{}

func (serverLog) Noticef(format string, v ...any) { slog.Debug(serverText(format, v)) }
func (serverLog) Debugf(string, ...any)           {}
func (serverLog) Tracef(string, ...any)           {}
func (serverLog) Warnf(format string, v ...any)   { slog.Warn(serverText(format, v)) }
func (serverLog) Errorf(format string, v ...any)  { slog.Error(serverText(format, v)) }
func (serverLog) Fatalf(format string, v ...any)  { slog.Error(serverText(format, v)) }

func serverText(format string, v []any) string {
	return "nats: " + strings.TrimSpace(fmt.Sprintf(format, v...))
}
