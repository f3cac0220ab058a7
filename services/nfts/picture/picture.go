package picture

import (
	"bytes"
	"errors"
	"fmt"
)

// ErrNone means that the bytes are not a supported picture.
var ErrNone = errors.New("not a picture")

// Picture is an image that is safe to send to a browser.
type Picture struct {
	// MediaType is one of image/png, image/jpeg, image/gif, image/webp, image/avif, image/svg+xml.
	MediaType string
	Bytes     []byte
}

// Read detects the format of b, and sanitizes an SVG. The error wraps [ErrNone].
func Read(b []byte) (Picture, error) {
	if kind := raster(b); kind != "" {
		if !isShowable(kind, b) {
			return Picture{}, fmt.Errorf("%w: it is too large to show, or its size is not known", ErrNone)
		}
		return Picture{MediaType: kind, Bytes: b}, nil
	}
	clean, err := sanitize(b)
	if err != nil {
		return Picture{}, err
	}
	return Picture{MediaType: "image/svg+xml", Bytes: clean}, nil
}

// raster returns the media type of a raster image by its first bytes; empty for other formats.
func raster(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(b, []byte("GIF87a")), bytes.HasPrefix(b, []byte("GIF89a")):
		return "image/gif"
	case len(b) >= 12 && bytes.HasPrefix(b, []byte("RIFF")) && string(b[8:12]) == "WEBP":
		return "image/webp"
	case len(b) >= 12 && string(b[4:8]) == "ftyp" && (string(b[8:12]) == "avif" || string(b[8:12]) == "avis"):
		return "image/avif"
	default:
		return ""
	}
}
