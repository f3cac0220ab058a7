package access

import (
	"net/http"
	"net/url"
	"testing"
)

func FuzzParameter(f *testing.F) {
	for _, query := range []string{
		"", "a=1", "a", "a=", "b=2&a=1&a=3", "&&a=1", "%61=1", "a=%31+2", "a=%zz&a=1", "%zz=1&a=1", "a;b=1&a=2", "a=1;b", "a==1", "=1", "A=1", "a%00=1", "a=\xff",
	} {
		f.Add(query, "a")
	}
	f.Fuzz(func(t *testing.T, query, name string) {
		r := &http.Request{URL: &url.URL{RawQuery: query}}
		values := r.URL.Query()
		got, found := Parameter(r, name)
		if got != values.Get(name) || found != values.Has(name) {
			t.Errorf("%q of %q: %q, %t, want %q, %t", name, query, got, found, values.Get(name), values.Has(name))
		}
	})
}

// A query without an escape has no invalid text if it is text itself.
func FuzzInvalidTextParameter(f *testing.F) {
	for _, query := range []string{"a=1", "a=%00", "%ff=1", "a=\xff", "a=\x00", "a=b+c", "a;b=\xff"} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		r := &http.Request{URL: &url.URL{RawQuery: query}}
		want := false
		for name, values := range r.URL.Query() {
			want = want || IsInvalidText(name)
			for _, v := range values {
				want = want || IsInvalidText(v)
			}
		}
		if _, got := invalidTextParameter(r); got != want {
			t.Errorf("%q: %t, want %t", query, got, want)
		}
	})
}
