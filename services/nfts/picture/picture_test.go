package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
)

func TestRasterFormatIsDetectedFromTheFirstBytes(t *testing.T) {
	for kind, head := range map[string]string{
		"image/png": "\x89PNG\r\n\x1a\n", "image/jpeg": "\xff\xd8\xff\xe0", "image/gif": "GIF89a", "image/webp": "RIFF\x10\x00\x00\x00WEBPVP8 ",
		"image/avif": "\x00\x00\x00\x20ftypavif\x00\x00",
	} {
		if got := raster([]byte(head + "…")); got != kind {
			t.Errorf("%s: got %q", kind, got)
		}
	}
}

func TestUnknownImageFormatsAreRefused(t *testing.T) {
	for _, b := range []string{
		"", "hello", "<html><body>x</body></html>", "<!doctype html><svg></svg><script>1</script>", "<html xmlns='http://www.w3.org/2000/svg'/>",
		"<script xmlns='http://www.w3.org/2000/svg'/>", "<svg xmlns='http://www.w3.org/1999/xhtml'/>", "<svg>", "<svg></g></svg>", "<svg/><svg/>", "%PDF-1.7", "MZ",
		"<svg>&undefined;</svg>", `<!DOCTYPE svg [<!ENTITY a "<script/>">]><svg>&a;</svg>`, "\x00\x00\x00\x20ftypmp42", "RIFF....WAVE",
		strings.Repeat("<svg>", 200) + strings.Repeat("</svg>", 200), "<svg>" + strings.Repeat(" ", maxSVG) + "</svg>",
	} {
		if got, err := Read([]byte(b)); !errors.Is(err, ErrNone) {
			t.Errorf("%.60q passed for %s: %s", b, got.MediaType, got.Bytes)
		}
	}
}

func TestSVGKeepsDrawingElements(t *testing.T) {
	const drawing = `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><!-- made by hand -->
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 8"><style>/* sea */ .a{fill:#0af;stroke:url(#g)}</style><defs><linearGradient id="g"><stop stop-color="red"/></linearGradient></defs><path class="a" d="M0 0h8" style="opacity:.5" fill="url('#g')"/><use href="#p" xlink:href="#p"/><image href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="/><text xml:space="preserve">1 &lt; 2 &amp; 3</text><animate attributeName="fill" values="red;blue"/></svg>`
	got, err := Read([]byte(drawing))
	if err != nil {
		t.Fatal(err)
	}
	out := string(got.Bytes)
	for _, want := range []string{
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">`, `.a{fill:#0af;stroke:url(#g)}`, `<stop stop-color="red">`, `d="M0 0h8"`,
		`style="opacity:.5"`, `fill="url(&#39;#g&#39;)"`, `<use href="#p">`, `href="data:image/png;base64,`, `1 &lt; 2 &amp; 3`, `<animate attributeName="fill" values="red;blue">`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is missing from %s", want, out)
		}
	}
	if got.MediaType != "image/svg+xml" {
		t.Errorf("got %s", got.MediaType)
	}
}

// hostileParts are ways to run, link or load from within an SVG.
var hostileParts = []string{
	`<script>alert(1)</script>`, `<SCRIPT>alert(1)</SCRIPT>`, `<script href="https://e.invalid/a.js"/>`, `<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>`,
	`<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>`, `<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="alert(1)"/></foreignObject>`,
	`<g onclick="alert(1)"/>`, `<g ONCLICK="alert(1)"/>`, `<g x:onclick="alert(1)" xmlns:x="x"/>`, `<a href="javascript:alert(1)"><rect/></a>`, `<a href="https://e.invalid"/>`,
	`<use href="https://e.invalid/a.svg#x"/>`, `<use xlink:href="data:image/svg+xml;base64,PHN2Zy8+#x" xmlns:xlink="http://www.w3.org/1999/xlink"/>`,
	`<image href="https://e.invalid/a.png"/>`, `<image href="//e.invalid/a.png"/>`, `<image href=" javascript:alert(1)"/>`, `<image href="data:image/svg+xml,%3Csvg onload=alert(1)%3E"/>`,
	`<image href="data:image/png;base64,PHN2Zz4="/>`, `<feImage href="https://e.invalid/a.png"/>`, `<iframe src="https://e.invalid"/>`, `<embed src="https://e.invalid"/>`,
	`<audio src="https://e.invalid"/>`, `<video src="https://e.invalid"/>`, `<link href="https://e.invalid/a.css" rel="stylesheet"/>`, `<meta http-equiv="refresh" content="0;https://e.invalid"/>`,
	`<style>@import "https://e.invalid/a.css";</style>`, `<style>@im<!-- -->port "https://e.invalid/a.css";</style>`, `<style>@im<![CDATA[port]]> url(https://e.invalid/a.css);</style>`,
	`<style>a{background:u\72l(https://e.invalid)}</style>`, `<style>a{background:URL( "https://e.invalid")}</style>`, `<style>@font-face{src:url(https://e.invalid)}</style>`,
	`<style><g>@import "https://e.invalid/a.css";</g></style>`, `<style>a{background:image-set("https://e.invalid" 1x)}</style>`, `<style>&#64;import 'https://e.invalid';</style>`,
	`<rect style="fill:url(https://e.invalid#a)"/>`, `<rect fill="url(https://e.invalid#a)"/>`, `<rect fill="\75rl(https://e.invalid#a)"/>`, `<rect mask='image-set("https://e.invalid" 1x)'/>`,
	`<rect filter="url(//e.invalid#a)"/>`, `<rect style="behavior:url(#default#time2) url(https://e.invalid)"/>`, `<set attributeName="href" to="javascript:alert(1)"/>`,
	`<set attributeName="onclick" to="alert(1)"/>`, `<animate attributeName="xlink:href" values="https://e.invalid"/>`, `<animate attributeName="href" values="javascript:alert(1)"/>`,
	`<animate attributeName="x" attributeName="href" to="https://e.invalid"/>`, `<animate attributeName="fill" to="url(https://e.invalid#x)"/>`, `<set to="javascript:alert(1)"/>`,
	`<g xml:base="https://e.invalid/"><use href="#a"/></g>`, `<?xml-stylesheet href="https://e.invalid/a.css"?>`, `<handler type="text/javascript">alert(1)</handler>`,
	`<mpath href="https://e.invalid#x"/>`, `<textPath href="https://e.invalid#x"/>`, `<rect fill="java&#10;script:alert(1)"/>`, `<listener handler="#x" event="click"/>`,
}

func TestSVGIsStrippedOfScriptsLinksAndResources(t *testing.T) {
	for _, part := range hostileParts {
		got, err := Read([]byte(`<svg xmlns="http://www.w3.org/2000/svg">` + part + `<rect id="kept"/></svg>`))
		if err != nil {
			continue // refusing the whole SVG is as safe
		}
		if !bytes.Contains(got.Bytes, []byte(`<rect id="kept">`)) {
			t.Errorf("%s: the drawing beside it is lost: %s", part, got.Bytes)
		}
		assertHarmless(t, part, got.Bytes)
	}
}

// danger matches what must not remain of any SVG made of hostileParts.
var danger = regexp.MustCompile(`(?i)e\.invalid|alert|javascript|<script|foreignobject|@import|svg\+xml|xml-stylesheet|PHN2Zz4`)

func assertHarmless(tb testing.TB, from string, out []byte) {
	tb.Helper()
	if found := danger.Find(out); found != nil {
		tb.Errorf("%s left %q in %s", from, found, out)
	}
}

// TestSVGWithExponentialReuseIsRefused nests references, so that the number of drawn elements grows exponentially.
func TestSVGWithExponentialReuseIsRefused(t *testing.T) {
	levels := `<g id="l0"><rect/></g>`
	for i := range 9 {
		levels += fmt.Sprintf(`<g id="l%d">%s</g>`, i+1, strings.Repeat(fmt.Sprintf(`<use href="#l%d"/>`, i), 10))
	}
	for name, picture := range map[string]string{
		"uses of uses":         `<svg><defs>` + levels + `</defs></svg>`,
		"a part within itself": `<svg><g id="a"><use href="#a"/></g></svg>`,
		"parts in a circle":    `<svg><g id="a"><use href="#b"/></g><g id="b"><use xlink:href="#a"/></g></svg>`,
		"patterns of patterns": `<svg><pattern id="p"><rect fill="url('#q')"/></pattern><pattern id="q"><rect style="fill:url(#p)"/></pattern></svg>`,
	} {
		if _, err := Read([]byte(picture)); !errors.Is(err, ErrNone) {
			t.Errorf("%s: %s passed", name, picture)
		}
	}
	plain := `<svg><linearGradient id="g"/><linearGradient id="h" href="#g"/>` + strings.Repeat(`<rect fill="url(#h)"/>`, 2000) + `<use href="#nothing"/></svg>`
	if _, err := Read([]byte(plain)); err != nil {
		t.Errorf("an honest one: %v", err)
	}
}

// FuzzSVGIsSafeOrRefused checks that the output is of a supported format, and that an SVG is well-formed, has only allowed elements and
// attributes, and does not change when it is sanitized again.
func FuzzSVGIsSafeOrRefused(f *testing.F) {
	for _, part := range hostileParts {
		f.Add([]byte(`<svg xmlns="http://www.w3.org/2000/svg">` + part + `</svg>`))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := Read(b)
		if err != nil || got.MediaType != "image/svg+xml" {
			return
		}
		d := xml.NewDecoder(bytes.NewReader(got.Bytes))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("what was written is not XML: %v: %s", err, got.Bytes)
			}
			assertAllowed(t, token)
		}
		again, err := Read(got.Bytes)
		if err != nil || !bytes.Equal(again.Bytes, got.Bytes) {
			t.Fatalf("a second time: %v\n%s\n%s", err, got.Bytes, again.Bytes)
		}
	})
}

func assertAllowed(tb testing.TB, token xml.Token) {
	tb.Helper()
	e, ok := token.(xml.StartElement)
	if !ok {
		return
	}
	if e.Name.Space != svgSpace || !elements[e.Name.Local] {
		tb.Fatalf("element %v was let through", e.Name)
	}
	for _, a := range e.Attr {
		if strings.HasPrefix(strings.ToLower(a.Name.Local), "on") {
			tb.Fatalf("attribute %v was let through", a.Name)
		}
		if a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#") && !strings.HasPrefix(strings.TrimSpace(a.Value), "data:image/") {
			tb.Fatalf("reference %q was let through", a.Value)
		}
	}
}
