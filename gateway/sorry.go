package gateway

import (
	"bytes"
	_ "embed" // sorry.html
	"html/template"
	"net/http"
	"strings"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

//go:embed sorry.html
var sorryHTML string

var sorryPage = template.Must(template.New("sorry").Parse(sorryHTML))

// sorry is what a visitor is told instead of a page.
type sorry struct {
	Heading, Text string
	// Again lets the browser try again by itself.
	Again bool
}

// writeSorry tells a browser in words what a client is told in JSON.
func writeSorry(w http.ResponseWriter, r *http.Request, f *fault.Error) {
	var page bytes.Buffer
	if !strings.Contains(r.Header.Get("Accept"), "text/html") || sorryPage.Execute(&page, sorryFor(f)) != nil {
		writeFault(w, r, f)
		return
	}
	writePage(w, statusOf(r, f), "text/html; charset=utf-8", page.Bytes())
}

func sorryFor(f *fault.Error) sorry {
	switch status := restStatus[f.Reason]; {
	case f.Reason == faultv1.Reason_REASON_ORDER_UNKNOWN:
		return sorry{Heading: "There is no such checkout", Text: "Begin again where you came from."}
	case status >= http.StatusInternalServerError:
		return sorry{Heading: "This does not work at the moment", Text: "The page tries again by itself.", Again: true}
	}
	return sorry{Heading: "This was not understood", Text: f.Public + "."}
}
