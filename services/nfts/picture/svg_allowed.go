package picture

import (
	"encoding/base64"
	"encoding/xml"
	"regexp"
	"strings"
)

// elements are the allowed SVG elements, which only draw.
var elements = set(`svg g defs symbol use switch title desc metadata view style
	path rect circle ellipse line polyline polygon text tspan textPath image marker
	linearGradient radialGradient stop pattern clipPath mask
	animate animateTransform animateMotion mpath set
	filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow
	feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting
	feSpotLight feTile feTurbulence`)

// attributePattern matches allowed names of attributes; [harmless] refuses those of event handlers.
var attributePattern = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9-]*$`)

// attributeName returns the name to write an attribute with; false for one that is removed, such as a namespace declaration.
func attributeName(n xml.Name) (string, bool) {
	switch n.Space {
	case "":
		return n.Local, n.Local != "xmlns" && attributePattern.MatchString(n.Local)
	case xlinkSpace, "xlink":
		return "href", n.Local == "href"
	case xmlSpace, "xml":
		return "xml:space", n.Local == "space"
	default:
		return "", false
	}
}

// harmless reports whether an attribute runs no script, has no link and loads nothing.
func harmless(element, name, value string) bool {
	lower := strings.ToLower(name)
	switch {
	case strings.HasPrefix(lower, "on"), lower == "src", lower == "base", lower == "ping", lower == "target":
		return false
	case lower == "href":
		return strings.HasPrefix(value, "#") || element == "image" && isEmbeddedRaster(value)
	case lower == "style":
		return harmlessStyle(value) == value
	default:
		return !isReference(value) && !loads.MatchString(value) && onlyFragments(value)
	}
}

// isReference reports whether a value is a URI that runs a script or contains data.
func isReference(value string) bool {
	compact := strings.ToLower(strings.Map(dropBlank, value))
	return strings.Contains(compact, "javascript:") || strings.Contains(compact, "vbscript:") || strings.HasPrefix(compact, "data:")
}

func dropBlank(r rune) rune {
	if r <= ' ' || r == 0x7f {
		return -1
	}
	return r
}

var embeddedRaster = regexp.MustCompile(`^data:image/(?:png|jpeg|jpg|gif|webp|avif);base64,`)

// isEmbeddedRaster reports whether a value is a data URI of a raster image that is showable.
func isEmbeddedRaster(value string) bool {
	value = strings.TrimSpace(value)
	head := embeddedRaster.FindString(value)
	if head == "" {
		return false
	}
	b, err := base64.StdEncoding.DecodeString(value[len(head):])
	if err != nil {
		return false
	}
	return isShowable(raster(b), b)
}

var cssURL = regexp.MustCompile(`(?i)url\s*\(\s*["']?\s*(.?)`)

// onlyFragments reports whether every url() in a value refers to an element of the same SVG.
func onlyFragments(value string) bool {
	for _, m := range cssURL.FindAllStringSubmatch(value, -1) {
		if m[1] != "#" {
			return false
		}
	}
	return true
}

// loads matches the CSS that loads resources. Escapes are refused, because they can spell any of it.
var loads = regexp.MustCompile(`(?i)\\|@import|@font-face|@namespace|expression\s*\(|-moz-binding|behavior\s*:|image-set|image\s*\(|src\s*\(|javascript:`)

// harmlessStyle returns a style sheet, or an empty one if it would load a resource.
func harmlessStyle(css string) string {
	if loads.MatchString(css) || !onlyFragments(css) {
		return ""
	}
	return css
}

// animates reports whether an element animates attributes.
func animates(e xml.StartElement) bool {
	return e.Name.Local == "animate" || e.Name.Local == "set" || e.Name.Local == "animateTransform"
}

// animatesHarmlessly reports whether the animated attribute is neither a reference nor an event handler.
func animatesHarmlessly(e xml.StartElement) bool {
	harmless := false
	for _, a := range e.Attr {
		if a.Name.Local != "attributeName" {
			continue
		}
		target := strings.ToLower(strings.TrimSpace(a.Value))
		harmless = attributePattern.MatchString(target) && target != "href" && target != "style" && !strings.HasPrefix(target, "on")
		if !harmless {
			return false
		}
	}
	return harmless
}

func set(words string) map[string]bool {
	s := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		s[w] = true
	}
	return s
}
