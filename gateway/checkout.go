package gateway

import (
	"net/http"
	"net/url"
	"strings"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const (
	// checkoutPath and a checkout's id are where its page is.
	checkoutPath = "/sandbox/checkout/"
	// formLimit bounds what is filled in, in bytes.
	formLimit = 16 << 10
)

// checkout shows the pages on which visitors pay at sellers that only play. They run no script, load nothing, and stand in no frame.
func checkout(client onrampv1.SandboxServiceClient) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+checkoutPath+"{id}", func(w http.ResponseWriter, r *http.Request) {
		res, err := client.ShowCheckout(r.Context(), &onrampv1.ShowCheckoutRequest{Id: r.PathValue("id")})
		if err != nil {
			writeSorry(w, r, fault.From(err))
			return
		}
		writePage(w, http.StatusOK, res.GetPage().GetContentType(), res.GetPage().GetData())
	})
	mux.HandleFunc("POST "+checkoutPath+"{id}/{action}", func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, formLimit)
		if err := r.ParseForm(); err != nil {
			writeSorry(w, r, bodyFault(err))
			return
		}
		submit := &onrampv1.SubmitCheckoutRequest{Id: r.PathValue("id"), Action: r.PathValue("action"), Fields: map[string]string{}}
		for name := range r.PostForm {
			// gRPC carries no other text.
			submit.Fields[strings.ToValidUTF8(name, "")] = strings.ToValidUTF8(r.PostForm.Get(name), "")
		}
		res, err := client.SubmitCheckout(r.Context(), submit)
		if err != nil {
			writeSorry(w, r, fault.From(err))
			return
		}
		if res.GetPage() != nil {
			// Browsers report any other status as an error of the page's.
			writePage(w, http.StatusOK, res.GetPage().GetContentType(), res.GetPage().GetData())
			return
		}
		http.Redirect(w, r, pageOf(r), http.StatusSeeOther)
	})
	// Where a browser stands after a form with a mistake.
	mux.HandleFunc("GET "+checkoutPath+"{id}/{action}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, pageOf(r), http.StatusSeeOther)
	})
	mux.Handle("/", notFound())
	// A form that another site sends would pay in the visitor's name.
	return http.NewCrossOriginProtection().Handler(mux)
}

// pageOf is where a checkout's own page is; an id that is none leads to no other place.
func pageOf(r *http.Request) string { return checkoutPath + url.PathEscape(r.PathValue("id")) }

func writePage(w http.ResponseWriter, status int, contentType string, page []byte) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Cache-Control", "no-store")
	// With no referrer at all, browsers send forms from an origin that they call null.
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	w.WriteHeader(status)
	_, _ = w.Write(page)
}
