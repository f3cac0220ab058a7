package frame

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var built embed.FS

// Pages returns the built files of the embedded wallet, as `make build` copied them from apps/frame: index.html, assets/ and manifest.json, each with a compressed
// copy (.gz) beside it. A binary that was built without them has none.
func Pages() fs.FS {
	pages, err := fs.Sub(built, "dist")
	if err != nil {
		// The name is valid: the compiler has found the directory.
		panic(err)
	}
	return pages
}
