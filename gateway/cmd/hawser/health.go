package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// askHealth is `hawser health`, a probe for containers that have no other program: it fails while the process is not ready.
func askHealth(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	c, err := load(flags, args)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	address, err := privateAddress(c.Listen.Metrics)
	if err != nil {
		return fmt.Errorf("listen.metrics: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/ready", nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return errors.New("no process answers at " + c.Listen.Metrics)
	}
	defer res.Body.Close()
	said, err := io.ReadAll(io.LimitReader(res.Body, 4096))
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s", strings.ReplaceAll(strings.TrimSpace(string(said)), "\n", "; "))
	}
	_, err = out.Write(said)
	return err
}
