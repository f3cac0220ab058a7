//go:build cluster

package live

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const listWallets = "/hawser.directory.v1.DirectoryService/ListWallets"

// askEachProtocol asks for the directory of wallets in the five protocols of the gateway.
func askEachProtocol() error {
	unencrypted := new(http.Protocols)
	unencrypted.SetUnencryptedHTTP2(true)
	plain := &http.Client{Timeout: 35 * time.Second}
	http2 := &http.Client{Timeout: 35 * time.Second, Transport: &http.Transport{Protocols: unencrypted}}
	// ListWalletsRequest{entries: 4} is field 2, a varint.
	message := []byte{2 << 3, 4}
	framed := append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))), message...)
	var all error
	for _, p := range []struct {
		name, contentType string
		client            *http.Client
		body              []byte
		check             func(*http.Response, []byte) error
	}{
		{"REST", "", plain, nil, holds(`"Rainbow"`)},
		{"Connect with JSON", "application/json", plain, []byte(`{"entries":40}`), holds(`"Rainbow"`)},
		{"Connect", "application/proto", plain, []byte{2 << 3, 40}, holds("Rainbow")},
		{"gRPC-Web", "application/grpc-web+proto", plain, framed, func(_ *http.Response, answer []byte) error {
			// The trailers are the last frame, which the highest bit of its first byte marks.
			return holds("grpc-status: 0")(nil, bytes.ToLower(answer))
		}},
		{"gRPC", "application/grpc", http2, framed, func(res *http.Response, _ []byte) error {
			if status := res.Trailer.Get("Grpc-Status"); status != "0" {
				return fmt.Errorf("grpc-status %q: %s", status, res.Trailer.Get("Grpc-Message"))
			}
			return nil
		}},
	} {
		if err := ask(p.client, p.contentType, p.body, p.check); err != nil {
			all = errors.Join(all, fmt.Errorf("%s: %w", p.name, err))
		}
	}
	return all
}

func ask(client *http.Client, contentType string, body []byte, check func(*http.Response, []byte) error) error {
	method, address := http.MethodPost, door+listWallets
	if body == nil {
		method, address = http.MethodGet, door+"/getWallets?entries=40&projectId="+project
	}
	req, err := http.NewRequest(method, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if body != nil {
		req.Header.Set("Content-Type", contentType)
		req.Header.Set("Hawser-Project-Id", project)
		req.Header.Set("Te", "trailers")
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %.200s", res.Status, answer)
	}
	return check(res, answer)
}

func holds(text string) func(*http.Response, []byte) error {
	return func(_ *http.Response, answer []byte) error {
		if !strings.Contains(string(answer), text) {
			return fmt.Errorf("no %s in %.200q", text, answer)
		}
		return nil
	}
}
