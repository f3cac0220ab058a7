package sandbox

import (
	"embed"
	"encoding/base64"
)

// marks are pictures of sellers by name. The gateway serves the same ones, so that a seller looks alike on the list and at its checkout.
//
//go:embed marks/*.svg
var marks embed.FS

// mark is the seller's picture as SVG; empty when it has none.
func (s *seller) mark() []byte {
	svg, err := marks.ReadFile("marks/" + s.Seller.Name + ".svg")
	if err != nil {
		return nil
	}
	return svg
}

// logo is the seller's picture as a data URL (RFC 2397): the beginning of its title when it has none of its own.
func (s *seller) logo() string {
	if svg := s.mark(); svg != nil {
		return dataURL(svg)
	}
	return picture(s.Title)
}

func dataURL(svg []byte) string {
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg)
}
