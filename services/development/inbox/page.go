package inbox

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
const Path = "/inbox"

// link is a web address in a mail, without the punctuation that ends its sentence.
var link = regexp.MustCompile(`https?://[^\s<>"]*[^\s<>".,;:!?)]`)

// piece is a part of a mail's text: a web address or the text before one.
type piece struct {
	Text   string
	IsLink bool
}

// pieces splits a text at its web addresses.
func pieces(text string) []piece {
	var found []piece
	end := 0
	for _, at := range link.FindAllStringIndex(text, -1) {
		found = append(found, piece{Text: text[end:at[0]]}, piece{Text: text[at[0]:at[1]], IsLink: true})
		end = at[1]
	}
	return append(found, piece{Text: text[end:]})
}

var page = template.Must(template.New("inbox").Funcs(template.FuncMap{"pieces": pieces}).Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="3">
<link rel="icon" href="data:,">
<title>Inbox</title>
<style>
:root { color-scheme: light dark; --text: #14171c; --muted: #5b6270; --page: #f6f7f9; --card: #fff; --line: #dfe2e8; --link: #0b65ad }
@media (prefers-color-scheme: dark) { :root { --text: #f4f6f9; --muted: #a2a9b5; --page: #0b0c0f; --card: #121318; --line: #24272f; --link: #74c4ff } }
body { max-width: 640px; margin: 40px auto; padding: 0 16px; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { margin: 0; font-size: 26px; letter-spacing: -.02em }
h2 { margin: 0; font-size: 17px }
p { margin: 4px 0 0; color: var(--muted); font-size: 14px }
article { margin: 16px 0; padding: 20px; border: 1px solid var(--line); border-radius: 20px; background: var(--card) }
pre { margin: 16px 0 0; white-space: pre-wrap; font: inherit }
a { color: var(--link); text-underline-offset: 3px }
</style>
</head>
<body>
<h1>Inbox</h1>
<p>Every mail of this development installation. None leaves this machine.</p>
{{range .}}<article data-testid="mail">
<h2>{{.Subject}}</h2>
<p>To {{range .To}}{{.}} {{end}}at {{.ReceivedAt.Format "15:04:05"}}</p>
<pre>{{range pieces .Text}}{{if .IsLink}}<a href="{{.Text}}">{{.Text}}</a>{{else}}{{.Text}}{{end}}{{end}}</pre>
</article>
{{else}}<article><p>There is no mail yet.</p></article>
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
