// Package picture validates and sanitizes untrusted pictures.
//
// The format of raster images is detected from their first bytes, never from the media type of the server. They are returned unchanged, or
// refused if they declare too many pixels. An SVG is parsed and rewritten from an allow list, without scripts, links and external
// resources. Other formats are refused.
package picture
