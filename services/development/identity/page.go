package identity

import (
	"html/template"
	"net/http"
	"net/url"
)

// authorizePage is the page on which a visitor selects a test user.
type authorizePage struct {
	Provider, Redirect string
	// Posts is true if the browser posts the answer to the callback.
	Posts  bool
	People []choice
	Cancel url.Values
}

// choice is a test user, and the parameters for the callback.
type choice struct {
	Person

	Answer url.Values
}

// way is one button of the page.
type way struct {
	Posts        bool
	Redirect     string
	Answer       url.Values
	Address      template.URL
	TestID, Text string
}

var page = template.Must(template.New("authorize").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>Sign in</title>
<style>
body { max-width: 420px; margin: 48px auto; padding: 0 16px; font: 16px/1.5 system-ui, sans-serif; color-scheme: light dark }
a, button { display: block; box-sizing: border-box; width: 100%; margin: 16px 0; padding: 12px 16px; border: 1px solid #8888; border-radius: 8px; font: inherit; text-align: left; color: inherit; background: none; text-decoration: none; cursor: pointer }
</style>
</head>
<body>
<h1>Sign in with {{.Provider}}</h1>
<p>This is the provider for development. Its people are made up.</p>
{{range .Ways}}{{if .Posts}}<form method="post" action="{{.Redirect}}">
{{range $name, $values := .Answer}}{{range $values}}<input type="hidden" name="{{$name}}" value="{{.}}">
{{end}}{{end}}<button data-testid="{{.TestID}}">{{.Text}}</button>
</form>
{{else}}<a data-testid="{{.TestID}}" href="{{.Address}}">{{.Text}}</a>
{{end}}{{end}}</body>
</html>
`))

// write writes the page.
func (p authorizePage) write(w http.ResponseWriter) {
	to := func(testID, text string, answer url.Values) way {
		return way{p.Posts, p.Redirect, answer, template.URL(p.Redirect + "?" + answer.Encode()), testID, text}
	}
	var ways []way
	for _, c := range p.People {
		ways = append(ways, to("person-"+c.User, c.First+" "+c.Last, c.Answer))
	}
	ways = append(ways, to("cancel", "Cancel", p.Cancel))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'")
	_ = page.Execute(w, struct {
		Provider string
		Ways     []way
	}{p.Provider, ways})
}
