// Command regtest serves a private Bitcoin network through the HTTP API of Esplora, for development and browser
// journeys. It prints its address, and stops on SIGTERM, SIGINT, or, if its standard input is a pipe, when that closes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/hawser-dev/hawser/services/bitcoin/bitcointest"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "address to listen on; port 0 lets the system choose")
	dir := flag.String("dir", "", "directory whose network is continued and kept; a new one that is removed at the end if empty")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	if info, err := os.Stdin.Stat(); err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0 {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			stop()
		}()
	}
	if err := serve(ctx, *listen, *dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(ctx context.Context, listen, dir string) (err error) {
	if dir == "" {
		if dir, err = os.MkdirTemp("", "hawser-regtest-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	node, err := bitcointest.Start(dir)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, node.Close()) }()
	server := &http.Server{Handler: node.Handler(), ReadHeaderTimeout: 5 * time.Second}
	if _, err := fmt.Fprintf(os.Stdout, "Listening on http://%s\n", listener.Addr()); err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
