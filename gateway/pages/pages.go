// Package pages serves the built files of the apps that are embedded in the binary.
package pages

import (
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/hawser-dev/hawser/gateway/access"
)

// ServeAsset serves a built file, compressed where the browser accepts that and there is a compressed copy (.gz). Names of files below assets/ change with
// their content. What is not there is answered as an unknown route.
func ServeAsset(w http.ResponseWriter, r *http.Request, files fs.FS, name string) {
	name = strings.TrimPrefix(path.Clean("/"+name), "/")
	if info, err := fs.Stat(files, name); err != nil || info.IsDir() {
		access.NotFound().ServeHTTP(w, r)
		return
	}
	header := w.Header()
	if strings.HasPrefix(name, "assets/") {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	header.Set("Vary", "Accept-Encoding")
	if _, err := fs.Stat(files, name+".gz"); err == nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		name += ".gz"
	}
	http.ServeFileFS(w, r, files, name)
}
