package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/status"
)

const (
	// statusTimeout bounds how long a suite may take to describe itself, and statusBytes the description.
	statusTimeout = 15 * time.Second
	statusBytes   = 16 << 20
)

// Exit codes of `hawser status`, which are those of monitoring checks.
const (
	exitDegraded = 1
	exitUnknown  = 2
)

// showStatus is `hawser status`: it prints the status of a running process and of those that it calls. The exit code is 0 if all is well, 1 if something
// is not, and 2 if the status is unknown: the process does not answer, or the configuration or the command line is wrong.
func showStatus(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	at := flags.String("at", "", "host:port of the metrics of the process to ask; listen.metrics if empty. A gateway calls every service, and knows the whole suite")
	asJSON := flags.Bool("json", false, "print one JSON document, hawser.status.v1.Suite, instead of tables")
	probe := flags.Bool("probe", true, "ask every node of every chain for its newest block first; otherwise chains that are not in use may be unknown")
	c, err := load(flags, args)
	if err != nil {
		return &exitError{exitUnknown, err}
	}
	if *at == "" {
		*at = c.Listen.Metrics
	}
	ctx, cancel := context.WithTimeout(ctx, statusTimeout)
	defer cancel()
	raw, err := readStatus(ctx, *at, *probe)
	if err != nil {
		return &exitError{exitUnknown, err}
	}
	var suite statusv1.Suite
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(raw, &suite); err != nil {
		return &exitError{exitUnknown, fmt.Errorf("what answers at %s is not hawser", *at)}
	}
	if *asJSON {
		err = printStatusJSON(out, raw)
	} else {
		err = status.Print(out, &suite)
	}
	if err != nil {
		return &exitError{exitUnknown, err}
	}
	if faults := status.Faults(&suite); len(faults) > 0 {
		return &exitError{exitDegraded, fmt.Errorf("degraded: %s", faults[0])}
	}
	return nil
}

// readStatus returns what the process whose metrics are at an address says.
func readStatus(ctx context.Context, at string, probe bool) ([]byte, error) {
	address, err := privateAddress(at)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://%s/status?probe=%t", address, probe), nil)
	if err != nil {
		return nil, fmt.Errorf("%q is not host:port", at)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, errors.New("no process answers at " + at)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the process at %s answers %s", at, res.Status)
	}
	return io.ReadAll(io.LimitReader(res.Body, statusBytes))
}

// privateAddress returns where a process of this machine reaches a private listener.
func privateAddress(listen string) (string, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", fmt.Errorf("%q is not host:port", listen)
	}
	if ip := net.ParseIP(host); host == "" || (ip != nil && ip.IsUnspecified()) {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}

func printStatusJSON(out io.Writer, raw []byte) error {
	var tight, wide bytes.Buffer
	// Protocol Buffers vary the space between the members.
	if err := errors.Join(json.Compact(&tight, raw), json.Indent(&wide, tight.Bytes(), "", "  ")); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, wide.String())
	return err
}
