package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/encoding/protojson"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	"github.com/hawser-dev/hawser/services/platform/freeport"
)

// startBare runs this program again, as a server that returns answer and does nothing else.
func (w *world) startBare(ctx context.Context, answer []byte) (*process, error) {
	address := freeport.Address()
	pid, err := w.startSelf(ctx, answer, "-bare", address)
	if err != nil {
		return nil, err
	}
	p := &process{url: "http://" + address, pid: pid}
	return p, p.wait(ctx)
}

// startBareHop runs this program twice: as a server that returns answer, and as the gRPC service that the server calls for every request.
func (w *world) startBareHop(ctx context.Context, answer []byte) (*process, error) {
	address, service := freeport.Address(), freeport.Address()
	servicePID, err := w.startSelf(ctx, answer, "-bare-service", service)
	if err != nil {
		return nil, err
	}
	pid, err := w.startSelf(ctx, answer, "-bare", address, "-calls", service)
	if err != nil {
		return nil, err
	}
	p := &process{url: "http://" + address, pid: pid, servicePID: servicePID}
	return p, p.wait(ctx)
}

// startSelf runs this program again with args, and answer on its standard input.
func (w *world) startSelf(ctx context.Context, answer []byte, args ...string) (int, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(answer), os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	w.started = append(w.started, cmd)
	return cmd.Process.Pid, nil
}

// serveBare answers every request with the JSON it was given, encoded again each time as a handler would. It calls the bare gRPC service at calls
// before, unless calls is empty.
func serveBare(ctx context.Context, address, calls string, in io.Reader) error {
	var answer struct {
		Balances []struct {
			Name     string   `json:"name"`
			Symbol   string   `json:"symbol"`
			ChainID  string   `json:"chainId"`
			Address  *string  `json:"address,omitempty"`
			Value    *float64 `json:"value,omitempty"`
			Price    float64  `json:"price"`
			Quantity struct {
				Decimals string `json:"decimals"`
				Numeric  string `json:"numeric"`
			} `json:"quantity"`
			IconURL     string  `json:"iconUrl"`
			PriceSource *string `json:"priceSource,omitempty"`
			PriceAge    *uint32 `json:"priceAge,omitempty"`
		} `json:"balances"`
	}
	if err := json.NewDecoder(in).Decode(&answer); err != nil {
		return err
	}
	call := func(context.Context) error { return nil }
	if calls != "" {
		conn, err := grpc.NewClient(calls, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close() }()
		balances := balancesv1.NewBalancesServiceClient(conn)
		call = func(ctx context.Context) error {
			_, err := balances.GetBalance(ctx, &balancesv1.GetBalanceRequest{Address: "0x0000000000000000000000000000000000000000", Currency: "usd"})
			return err
		}
	}
	srv := &http.Server{Addr: address, ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := call(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	})}
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() })
	defer stop()
	if err := srv.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// bareBalances is a gRPC service that returns one answer.
type bareBalances struct {
	balancesv1.UnimplementedBalancesServiceServer
	answer *balancesv1.GetBalanceResponse
}

// GetBalance returns the answer.
func (b *bareBalances) GetBalance(context.Context, *balancesv1.GetBalanceRequest) (*balancesv1.GetBalanceResponse, error) {
	return b.answer, nil
}

// serveBareService serves a gRPC service that answers with the JSON it was given, without an interceptor.
func serveBareService(ctx context.Context, address string, in io.Reader) error {
	raw, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	answer := &balancesv1.GetBalanceResponse{}
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(raw, answer); err != nil {
		return err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	srv := grpc.NewServer()
	balancesv1.RegisterBalancesServiceServer(srv, &bareBalances{answer: answer})
	stop := context.AfterFunc(ctx, srv.Stop)
	defer stop()
	return srv.Serve(l)
}
