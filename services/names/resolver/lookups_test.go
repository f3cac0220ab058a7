package resolver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/names/resolver"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

const (
	name    = "known.example"
	gateway = "http://one.example/{sender}/{data}"
	second  = "http://two.example/{sender}/{data}"
	// visit is the request of a gateway for 0x01 by another contract, and visitSelf that by the universal resolver.
	visit     = "one.example/0x70997970c51812dc3a010c7d01b50e0d17dc79c8/0x01"
	visitSelf = "one.example/0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266/0x01"
	local     = "x-batch-gateway:true"
)

func wantFound(t *testing.T, r resolver.Universal, want evm.Address) {
	t.Helper()
	got, ok, err := r.AddressOf(t.Context(), name, resolver.Ether)
	if err != nil || !ok || got != want {
		t.Errorf("%s, %t, %v; want %s", got, ok, err, want)
	}
}

func wantError(t *testing.T, r resolver.Universal, want error) {
	t.Helper()
	if got, ok, err := r.AddressOf(t.Context(), name, resolver.Ether); ok || !errors.Is(err, want) || want == nil && err != nil {
		t.Errorf("%s, %t, %v; want %v", got, ok, err, want)
	}
}

func TestRequestFollowsTheURLTemplate(t *testing.T) {
	t.Run("by GET if the URL has a placeholder for the data", func(t *testing.T) {
		world, r := serve(t, once(self, []byte{1}, gateway), says(other[:]))
		wantFound(t, r, other)
		world.wantVisits(t, "GET "+visitSelf)
	})

	t.Run("by POST if the URL has no such placeholder", func(t *testing.T) {
		world, r := serve(t, once(self, []byte{1}, "http://one.example/{sender}"), func(w http.ResponseWriter, r *http.Request) {
			var requested map[string]string
			if err := json.NewDecoder(r.Body).Decode(&requested); err != nil || len(requested) != 2 || requested["sender"] != strings.ToLower(self.String()) || requested["data"] != "0x01" {
				t.Errorf("%v, %v", requested, err)
			}
			says(other[:])(w, r)
		})
		wantFound(t, r, other)
		world.wantVisits(t, "POST one.example/"+strings.ToLower(self.String()))
	})

	t.Run("and the contract receives the answer and its extra data", func(t *testing.T) {
		given := contract(func(call []byte) ([]byte, bool) {
			if [4]byte(call) != back {
				return wants(self, []byte{1}, gateway)
			}
			if want := calldata.Types("(bytes,bytes)").Write([]byte("answer"), []byte("extra")); !bytes.Equal(call[4:], want) {
				t.Errorf("%x", call)
			}
			return leadsTo(self)
		})
		_, r := serve(t, given, says([]byte("answer")))
		wantFound(t, r, self)
	})
}

func TestServersAreTriedInOrder(t *testing.T) {
	for status, want := range map[int][]string{
		http.StatusInternalServerError: {"GET " + visitSelf, "GET " + strings.Replace(visitSelf, "one", "two", 1)},
		http.StatusForbidden:           {"GET " + visitSelf},
		http.StatusNotFound:            {"GET " + visitSelf},
	} {
		t.Run(fmt.Sprint("after ", status), func(t *testing.T) {
			world, r := serve(t, once(self, []byte{1}, gateway, second), func(w http.ResponseWriter, r *http.Request) {
				if r.Host == "one.example" {
					w.WriteHeader(status)
					return
				}
				says(other[:])(w, r)
			})
			switch status {
			case http.StatusForbidden:
				wantError(t, r, resolver.ErrGateway)
			case http.StatusNotFound: // the name does not exist there
				wantError(t, r, nil)
			default:
				wantFound(t, r, other)
			}
			world.wantVisits(t, want...)
		})
	}

	t.Run("and only some of very many servers", func(t *testing.T) {
		many := make([]string, 100)
		for i := range many {
			many[i] = gateway
		}
		world, r := serve(t, once(self, []byte{1}, many...), func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
		wantError(t, r, resolver.ErrGateway)
		world.wantVisits(t, "GET "+visitSelf, "GET "+visitSelf, "GET "+visitSelf, "GET "+visitSelf)
	})
}

// inBatch requests lookups as newer universal resolvers do, and passes the results to learn.
func inBatch(requests []any, learn func(failures []bool, responses [][]byte) ([]byte, bool)) contract {
	return func(call []byte) ([]byte, bool) {
		if [4]byte(call) != back {
			return wants(self, batch(requests...), local)
		}
		response, _ := calldata.View(call[4:]).Bytes(0)
		flags, count, _ := calldata.View(response).List(0)
		responses, _ := calldata.View(response).BytesList(1)
		failures := make([]bool, count)
		for i := range failures {
			flag, _ := flags.Word(i)
			failures[i] = flag[31] == 1
		}
		return learn(failures, responses)
	}
}

func TestBatchGatewayIsHandledLocally(t *testing.T) {
	two := []any{request([]byte{1}, gateway), request([]byte{2}, gateway)}
	var failures []bool
	var responses [][]byte
	learn := inBatch(two, func(f []bool, r [][]byte) ([]byte, bool) {
		failures, responses = f, r
		return leadsTo(other)
	})
	half := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "2") {
				w.WriteHeader(status)
			}
			says([]byte("yes"))(w, r)
		}
	}

	t.Run("each lookup separately, for the contract that requests it", func(t *testing.T) {
		world, r := serve(t, learn, says([]byte("yes")))
		wantFound(t, r, other)
		world.wantVisits(t, "GET "+visit, "GET "+strings.TrimSuffix(visit, "1")+"2")
		if len(failures) != 2 || failures[0] || failures[1] || string(responses[0]) != "yes" || string(responses[1]) != "yes" {
			t.Errorf("%v %q", failures, responses)
		}
	})

	t.Run("and the contract is told which lookups failed, and continues if it can", func(t *testing.T) {
		_, r := serve(t, learn, half(http.StatusTeapot))
		wantFound(t, r, other)
		want := calldata.Parse("HttpError(uint16,string)").Write(http.StatusTeapot, []byte(nil))
		if failures[0] || !failures[1] || !bytes.Equal(responses[1], want) {
			t.Errorf("%v %x", failures, responses)
		}
	})

	t.Run("and if it cannot, the result is unknown, unless a server reported that there is no record", func(t *testing.T) {
		for status, want := range map[int]error{http.StatusTeapot: resolver.ErrGateway, http.StatusBadGateway: resolver.ErrGateway, http.StatusNotFound: nil} {
			_, r := serve(t, inBatch(two, func([]bool, [][]byte) ([]byte, bool) { return nil, true }), half(status))
			wantError(t, r, want)
		}
	})
}

func TestInvalidServerAnswersAreRefused(t *testing.T) {
	for what, answer := range map[string]http.HandlerFunc{
		"text":      func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") },
		"no data":   func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"message":"hello"}`) },
		"no hex":    func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"data":"0xhello"}`) },
		"a number":  func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"data":1}`) },
		"too much":  says(make([]byte, 1<<20)),
		"a picture": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "image/png") },
		"nothing":   func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(what, func(t *testing.T) {
			_, r := serve(t, once(self, []byte{1}, gateway), answer)
			wantError(t, r, resolver.ErrGateway)
		})
	}
}

func TestPrivateAddressesAreRefused(t *testing.T) {
	for _, inward := range []string{
		"http://inside.example/{sender}/{data}", "http://inside.example/", "http://127.0.0.1/{data}", "http://[::1]/", "http://169.254.169.254/{data}",
		"http://one.example:8545/{data}", "file:///etc/passwd", "{data}", "data:application/json,{data}", "http://{sender}@one.example/", "",
	} {
		world, r := serve(t, once(self, []byte{1}, inward), says(other[:]))
		wantError(t, r, resolver.ErrGateway)
		world.wantVisits(t)
	}

	t.Run("by a server either", func(t *testing.T) {
		world, r := serve(t, once(self, []byte{1}, gateway), func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://inside.example/", http.StatusTemporaryRedirect)
		})
		wantError(t, r, resolver.ErrGateway)
		world.wantVisits(t, "GET "+visitSelf)
	})

	t.Run("for another contract than the one that was called", func(t *testing.T) {
		world, r := serve(t, once(other, []byte{1}, gateway), says(other[:]))
		wantError(t, r, resolver.ErrResolver)
		world.wantVisits(t)
	})
}

func TestRedirectsAreBounded(t *testing.T) {
	endless := func(data []byte, urls ...string) contract {
		return func([]byte) ([]byte, bool) { return wants(self, data, urls...) }
	}
	for what, c := range map[string]contract{
		"one look-up after the other": endless([]byte{1}, gateway),
		"batch after batch":           endless(batch(request([]byte{1}, gateway)), local),
	} {
		t.Run(what, func(t *testing.T) {
			world, r := serve(t, c, says(other[:]))
			wantError(t, r, resolver.ErrGateway)
			if n := len(world.visits); n != 4 {
				t.Errorf("%d visits", n)
			}
		})
	}

	nested := batch(request([]byte{1}, gateway))
	for range 100 {
		nested = twice(nested)
	}
	crowd := make([]any, 1000)
	for i := range crowd {
		crowd[i] = request([]byte{1}, gateway)
	}
	for what, c := range map[string]contract{
		"empty batches":                endless(batch(), local),
		"a batch of very many":         endless(batch(crowd...), local),
		"a batch that cannot be read":  endless([]byte{1, 2, 3, 4}, local),
		"a look-up that is never made": endless([]byte{1}),
	} {
		t.Run(what, func(t *testing.T) {
			world, r := serve(t, c, says(other[:]))
			wantError(t, r, resolver.ErrGateway)
			world.wantVisits(t)
		})
	}

	t.Run("batches in batches", func(t *testing.T) {
		world, r := serve(t, endless(nested, local), says(other[:]))
		wantError(t, r, resolver.ErrGateway)
		if n := len(world.visits); n > 4 {
			t.Errorf("%d visits", n)
		}
	})
}

// twice returns a batch whose two lookups are the same batch, encoded once. Its encoding is small, but the number of
// lookups is unbounded.
func twice(inner []byte) []byte {
	one := lookupTypes.Write(other, []string{local}, inner)
	spelled := numbers(32, 2, 64, 64)
	return slices.Concat(batch()[:4], spelled, one)
}

// numbers encodes unsigned integers.
func numbers(all ...int) (encoded []byte) {
	for _, n := range all {
		encoded = append(encoded, calldata.Types("(uint256)").Write(n)...)
	}
	return encoded
}

// TestAmplifyingLookupsAreRefused checks that a contract cannot make the client encode gigabytes with a response of
// kilobytes.
func TestAmplifyingLookupsAreRefused(t *testing.T) {
	t.Run("by many placeholders for the data in one address", func(t *testing.T) {
		template := "http://one.example/" + strings.Repeat("{data}", 1000)
		world, r := serve(t, once(self, make([]byte, 1<<20), template), says(other[:]))
		wantError(t, r, resolver.ErrGateway)
		world.wantVisits(t)
	})

	t.Run("by many copies of one long address", func(t *testing.T) {
		const many = 20_000
		places := slices.Repeat([]int{many * calldata.WordSize}, many)
		urls := slices.Concat(numbers(many), numbers(places...), calldata.Types("(bytes)").Write(make([]byte, 1<<20))[calldata.WordSize:])
		heads := calldata.Types("(address,uint256,uint256,bytes4,uint256)").Write(self, 5*calldata.WordSize, 5*calldata.WordSize, back, 5*calldata.WordSize)
		reverted, _ := wants(self, nil)
		world, r := serve(t, func([]byte) ([]byte, bool) { return slices.Concat(reverted[:4], heads, urls), true }, says(other[:]))
		wantError(t, r, nil)
		world.wantVisits(t)
	})
}

func TestSlowServerIsAbandonedAtTheDeadline(t *testing.T) {
	_, r := serve(t, once(self, []byte{1}, gateway, second), func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, ok, err := r.AddressOf(ctx, name, resolver.Ether); ok || !errors.Is(err, resolver.ErrGateway) {
		t.Errorf("%t, %v", ok, err)
	}
}

func FuzzWishes(f *testing.F) {
	wish, _ := wants(self, []byte{1}, gateway)
	f.Add(wish)
	wish, _ = wants(self, batch(request([]byte{1}, gateway)), local)
	f.Add(wish)
	f.Fuzz(func(t *testing.T, reverted []byte) {
		c := contract(func([]byte) ([]byte, bool) { return reverted, true })
		r := resolver.Universal{Chain: c.Forward, Address: self, Gateways: unreachable{}}
		if _, ok, err := r.AddressOf(t.Context(), name, resolver.Ether); ok || err != nil && !errors.Is(err, resolver.ErrGateway) && !errors.Is(err, resolver.ErrResolver) {
			t.Errorf("%t, %v", ok, err)
		}
	})
}
