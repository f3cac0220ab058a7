// Package picture decides what bytes from a stranger may be shown as.
//
// Raster images are told by their first bytes, never by what their server calls them, and pass as they are, unless they say that they are
// larger than anybody could show. An SVG is parsed and written anew with nothing in it that runs, links or loads: what is not known to be
// harmless is left out. Anything else is no picture.
package picture
