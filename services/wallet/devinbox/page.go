package devinbox

import (
	"encoding/json"
	"errors"
	"html/template"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/http"
	"net/mail"
	"regexp"
	"strings"
)

// Path is the path of the page; the JSON list is at Path + ".json".
const Path = "/dev/inbox"

// link is a web address in a mail.
var link = regexp.MustCompile(`https?://[^\s<>"]+`)

var page = template.Must(template.New("inbox").Funcs(template.FuncMap{"links": func(text string) []string { return link.FindAllString(text, -1) }}).Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="3">
<link rel="icon" href="data:,">
<title>Inbox</title>
<style>
body { max-width: 720px; margin: 32px auto; padding: 0 16px; font: 16px/1.5 system-ui, sans-serif; color-scheme: light dark }
article { border: 1px solid #8888; border-radius: 12px; padding: 16px; margin: 16px 0 }
h2 { margin: 0; font-size: 18px }
pre { white-space: pre-wrap; font: inherit }
p { margin: 0; opacity: .7 }
</style>
</head>
<body>
<h1>Inbox</h1>
<p>Every mail of this development installation. It leaves this machine for nowhere.</p>
{{range .}}<article data-testid="mail">
<h2>{{.Subject}}</h2>
<p>To {{range .To}}{{.}} {{end}}at {{.ReceivedAt.Format "15:04:05"}}</p>
<pre>{{.Text}}</pre>
{{range links .Text}}<a href="{{.}}">{{.}}</a> {{end}}
</article>
{{else}}<p>There is no mail yet.</p>
{{end}}
</body>
</html>
`))

// ServeHTTP serves the page and the list. The parameter `to` selects the mails to one address.
func (i *Inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		http.Error(w, "Method not allowed", http.StatusMethodNotAllowed)
		return
	}
	mails := i.Mails(r.URL.Query().Get("to"))
	w.Header().Set("Cache-Control", "no-store")
	switch r.URL.Path {
	case Path + ".json":
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(mails)
	case Path:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'")
		_ = page.Execute(w, mails)
	default:
		http.NotFound(w, r)
	}
}

// parse parses a mail with a text and an HTML part.
func parse(r io.Reader) (Mail, error) {
	raw, err := mail.ReadMessage(r)
	if err != nil {
		return Mail{}, err
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(raw.Header.Get("Subject"))
	if err != nil {
		return Mail{}, err
	}
	m := Mail{From: raw.Header.Get("From"), Subject: subject}
	return m, m.addPart(raw.Header.Get("Content-Type"), raw.Header.Get("Content-Transfer-Encoding"), raw.Body, 0)
}

// addPart adds the text of a part, including nested parts.
func (m *Mail) addPart(contentType, encoding string, body io.Reader, depth int) error {
	const maxDepth = 4
	kind, parameters, err := mime.ParseMediaType(contentType)
	if err != nil || depth > maxDepth {
		return errors.Join(errors.New("a part of the mail is not valid"), err)
	}
	if strings.HasPrefix(kind, "multipart/") {
		parts := multipart.NewReader(body, parameters["boundary"])
		for {
			part, err := parts.NextRawPart()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if err := m.addPart(part.Header.Get("Content-Type"), part.Header.Get("Content-Transfer-Encoding"), part, depth+1); err != nil {
				return err
			}
		}
	}
	if strings.EqualFold(encoding, "quoted-printable") {
		body = quotedprintable.NewReader(body)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	switch kind {
	case "text/plain":
		m.Text = strings.ReplaceAll(string(text), "\r\n", "\n")
	case "text/html":
		m.HTML = strings.ReplaceAll(string(text), "\r\n", "\n")
	}
	return nil
}
