package bus

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// startTimeout bounds how long the server inside this process may take to recover its streams.
const startTimeout = 30 * time.Second

// embedded is a server inside this process, and the lock on its folder.
type embedded struct {
	*server.Server
	lock *os.File
}

// startServer starts a server that listens nowhere and keeps its streams in dir. It flushes before it acknowledges.
func startServer(dir string) (*embedded, error) {
	if dir == "" {
		return nil, errors.New("it needs a folder")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return nil, err
	}
	s, err := server.NewServer(&server.Options{
		ServerName:         "hawser",
		DontListen:         true,
		NoSigs:             true,
		JetStream:          true,
		StoreDir:           dir,
		SyncAlways:         true,
		JetStreamMaxMemory: 64 << 20,
		JetStreamMaxStore:  8 << 30,
	})
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	e := &embedded{Server: s, lock: lock}
	s.SetLoggerV2(serverLog{}, false, false, false)
	s.Start()
	if !s.ReadyForConnections(startTimeout) {
		return nil, errors.Join(fmt.Errorf("not ready after %s", startTimeout), e.stop())
	}
	return e, nil
}

// stop returns once the streams are on disk and the folder is free.
func (e *embedded) stop() error {
	e.Shutdown()
	e.WaitForShutdown()
	return e.lock.Close()
}

// serverLog passes on what an operator should know of the server inside this process, and drops its banner.
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
