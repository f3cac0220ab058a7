package sandbox

import (
	"bytes"
	_ "embed" // errorpage.html
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/development/sandbox/sqlstore"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// contentHTML is the media type of every page.
const contentHTML = "text/html; charset=utf-8"

// pages serves the checkout. Its pages run no script, load no resource, and cannot be framed.
func (s *Sandbox) pages() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+PagePath+"{id}", func(w http.ResponseWriter, r *http.Request) {
		page, err := s.Show(r.Context(), idIn(r))
		if err != nil {
			writeError(w, explain(err))
			return
		}
		writePage(w, http.StatusOK, page)
	})
	mux.HandleFunc("POST "+PagePath+"{id}/{action}", func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			writeError(w, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_BODY_MALFORMED, "", "The request body could not be read").Because(err))
			return
		}
		fields := map[string]string{}
		for name := range r.PostForm {
			fields[strings.ToValidUTF8(name, "")] = strings.ToValidUTF8(r.PostForm.Get(name), "")
		}
		page, err := s.Submit(r.Context(), idIn(r), r.PathValue("action"), fields)
		if err != nil {
			writeError(w, explain(err))
			return
		}
		if page != nil {
			// A form with mistakes is returned with status 200, because browsers report other statuses as failed loads.
			writePage(w, http.StatusOK, page)
			return
		}
		http.Redirect(w, r, checkoutOf(r), http.StatusSeeOther)
	})
	// This is requested by a reload after a form with mistakes.
	mux.HandleFunc("GET "+PagePath+"{id}/{action}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, checkoutOf(r), http.StatusSeeOther)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		writeError(w, fault.New(codes.NotFound, faultv1.Reason_REASON_ROUTE_UNKNOWN, "", "There is no %s %s", r.Method, r.URL.Path))
	})
	// Refuse forms that another site submits (cross-site request forgery).
	return http.NewCrossOriginProtection().Handler(mux)
}

// idIn returns the id of the requested checkout, which databases take as text.
func idIn(r *http.Request) string { return strings.ToValidUTF8(r.PathValue("id"), "") }

// checkoutOf returns the path of the requested checkout, with its id escaped.
func checkoutOf(r *http.Request) string { return PagePath + url.PathEscape(r.PathValue("id")) }

func writePage(w http.ResponseWriter, status int, page []byte) {
	h := w.Header()
	h.Set("Content-Type", contentHTML)
	h.Set("Cache-Control", "no-store")
	// With the policy no-referrer, browsers would send forms with "Origin: null".
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	w.WriteHeader(status)
	_, _ = w.Write(page)
}

//go:embed errorpage.html
var errorHTML string

var errorTemplate = template.Must(template.New("error").Parse(errorHTML))

// errorPage is the content of an error page.
type errorPage struct {
	Heading, Text string
	// Again makes the browser reload after five seconds.
	Again bool
}

// writeError writes an error page.
func writeError(w http.ResponseWriter, f *fault.Error) {
	var page bytes.Buffer
	_ = errorTemplate.Execute(&page, errorPageOf(f))
	writePage(w, httpStatus(f), page.Bytes())
}

func errorPageOf(f *fault.Error) errorPage {
	switch {
	case f.Reason == faultv1.Reason_REASON_ORDER_UNKNOWN:
		return errorPage{Heading: "There is no such checkout", Text: "Begin again where you came from."}
	case httpStatus(f) >= http.StatusInternalServerError:
		return errorPage{Heading: "This does not work at the moment", Text: "The page tries again by itself.", Again: true}
	}
	return errorPage{Heading: "This was not understood", Text: f.Public + "."}
}

// httpStatus returns the HTTP status of an error page.
func httpStatus(f *fault.Error) int {
	switch f.Code {
	case codes.NotFound:
		return http.StatusNotFound
	case codes.InvalidArgument:
		return http.StatusBadRequest
	case codes.Unavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// explain turns an error of a checkout into a fault.
func explain(err error) *fault.Error {
	switch {
	case errors.Is(err, sqlstore.ErrUnknown):
		return fault.New(codes.NotFound, faultv1.Reason_REASON_ORDER_UNKNOWN, "id", "There is no such order")
	case errors.Is(err, ramp.ErrUnavailable):
		return fault.New(codes.Unavailable, faultv1.Reason_REASON_ONRAMP_UNAVAILABLE, "", "On-ramp provider is temporarily unavailable").Because(err)
	}
	return fault.From(err)
}
