//go:build cluster

package live

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// question is a call that is made in each protocol.
type question struct {
	// path is its form in REST, and procedure that in the others, with its message in JSON and in binary.
	path, procedure, json string
	binary                []byte
	// want is in each answer. An answer that is not ok has status in HTTP and code in gRPC.
	want         string
	status, code int
}

// questions ask for a list that the image holds, for a name that was registered, and for one that was not.
func questions(registered string) []question {
	const wallets, names = "/hawser.directory.v1.DirectoryService/ListWallets", "/hawser.names.v1.NamesService/GetName"
	// The name is field 1 of the request, a string, and entries is field 2 of the other, a varint.
	name := func(text string) []byte { return append([]byte{1<<3 | 2, byte(len(text))}, text...) }
	const none = "none.hawser.id"
	return []question{
		{"/getWallets?entries=40", wallets, `{"entries":40}`, []byte{2 << 3, 40}, "Rainbow", http.StatusOK, 0},
		{"/v1/profile/account/" + registered, names, `{"name":"` + registered + `"}`, name(registered), registered, http.StatusOK, 0},
		{"/v1/profile/account/" + none, names, `{"name":"` + none + `"}`, name(none), "", http.StatusNotFound, 5},
	}
}

// askEachProtocol asks the questions in the five protocols of the gateway.
func askEachProtocol(registered string) error {
	unencrypted := new(http.Protocols)
	unencrypted.SetUnencryptedHTTP2(true)
	plain := &http.Client{Timeout: 35 * time.Second}
	http2 := &http.Client{Timeout: 35 * time.Second, Transport: &http.Transport{Protocols: unencrypted}}
	var all error
	for _, q := range questions(registered) {
		framed := append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(q.binary))), q.binary...)
		for _, p := range []struct {
			name, contentType string
			client            *http.Client
			body              []byte
			framed            bool
		}{
			{"REST", "", plain, nil, false},
			{"Connect with JSON", "application/json", plain, []byte(q.json), false},
			{"Connect", "application/proto", plain, q.binary, false},
			{"gRPC-Web", "application/grpc-web+proto", plain, framed, true},
			{"gRPC", "application/grpc", http2, framed, true},
		} {
			if err := q.ask(p.client, p.contentType, p.body, p.framed); err != nil {
				all = errors.Join(all, fmt.Errorf("%s in %s: %w", q.path, p.name, err))
			}
		}
	}
	return all
}

// ask makes the call once: in REST where there is no content type.
func (q question) ask(client *http.Client, contentType string, body []byte, framed bool) error {
	method, address := http.MethodPost, door+q.procedure
	if contentType == "" {
		separator := "?"
		if strings.Contains(q.path, separator) {
			separator = "&"
		}
		method, address = http.MethodGet, door+q.path+separator+"projectId="+project
	}
	req, err := http.NewRequest(method, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if contentType != "" {
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
	status, want := q.status, fmt.Sprintf("grpc-status: %d", q.code)
	if framed {
		status = http.StatusOK
		// The trailers of gRPC are trailers of HTTP, or headers where nothing is before them; those of gRPC-Web are the last frame of the body.
		told := "grpc-status: " + cmp.Or(res.Trailer.Get("Grpc-Status"), res.Header.Get("Grpc-Status"))
		if !strings.Contains(told+strings.ToLower(string(answer)), want) {
			return fmt.Errorf("no %s in %s and %.200q", want, told, answer)
		}
	}
	if res.StatusCode != status {
		return fmt.Errorf("%s %.200s", res.Status, answer)
	}
	if !strings.Contains(string(answer), q.want) {
		return fmt.Errorf("no %s in %.200q", q.want, answer)
	}
	return nil
}
