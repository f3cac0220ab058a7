package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"path"
	"strings"
	"time"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is the uid and the gid that every image runs as.
const user = 65532

// certificates is where programs of Go look for the certificates of authorities first.
const certificates = "etc/ssl/certs/ca-certificates.crt"

// image is what an image consists of beside its program.
type image struct {
	// name is that of the image, and program the name of its only executable.
	name, program string
	title         string
	entrypoint    []string
	env           []string
	ports         []string
	// data is the folder that belongs to the user of the image.
	data string
}

// images are the images of a release.
var images = []image{
	{
		name: "hawser", program: "hawser", title: "Hawser",
		entrypoint: []string{"/hawser"},
		env:        []string{"HAWSER_DATA_DIR=/data/hawser"},
		ports:      []string{"5174/tcp", "5555/tcp", "8080/tcp", "9090/tcp"},
		data:       "data",
	},
	{
		name: "hawser-nats", program: "nats-server", title: "NATS server for Hawser",
		entrypoint: []string{"/nats-server"},
		ports:      []string{"4222/tcp", "6222/tcp", "8222/tcp"},
		data:       "data",
	},
}

// file is a file or a folder of an image or of an archive.
type file struct {
	path    string
	mode    int64
	owner   int
	folder  bool
	content []byte
}

// files returns the root file system of an image with its program.
func (i image) files(program []byte) []file {
	return []file{
		{path: i.data, mode: 0o750, owner: user, folder: true},
		{path: "etc", mode: 0o755, folder: true},
		{path: "etc/passwd", mode: 0o644, content: fmt.Appendf(nil, "%s:x:%d:%d::/%s:/nologin\n", i.name, user, user, i.data)},
		{path: "etc/ssl", mode: 0o755, folder: true},
		{path: "etc/ssl/certs", mode: 0o755, folder: true},
		{path: certificates, mode: 0o644, content: authorities()},
		{path: i.program, mode: 0o755, content: program},
		{path: "tmp", mode: 0o1777, folder: true},
	}
}

// authorities returns the root certificates of Mozilla's list as PEM. Those that Mozilla trusts only under conditions, such as a date of issue, are left
// out, because a PEM file cannot express conditions.
func authorities() []byte {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate})
		}
	}
	return out.Bytes()
}

// writeTar returns the files as an archive in the order given.
func writeTar(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range files {
		h := &tar.Header{Name: f.path, Mode: f.mode, Uid: f.owner, Gid: f.owner, Size: int64(len(f.content)), ModTime: at, Format: tar.FormatPAX}
		if f.folder {
			h.Typeflag, h.Name = tar.TypeDir, f.path+"/"
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// compress returns raw compressed with gzip.
func compress(raw []byte) ([]byte, error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(raw); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}

// descriptor refers to a blob, as the OCI image specification has it.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Annotations map[string]string `json:"annotations,omitempty"`
	Platform    *platform         `json:"platform,omitempty"`
}

// platform is what a program runs on.
type platform struct {
	OS           string `json:"os"`
	Architecture string `json:"architecture"`
}

// String returns the platform as file names have it.
func (p platform) String() string { return p.OS + "-" + p.Architecture }

// layout is an OCI image layout that is being filled.
type layout struct {
	blobs []file
	seen  map[string]bool
}

const mediaType = "application/vnd.oci.image."

// add stores a blob once and returns its descriptor.
func (l *layout) add(kind string, content []byte) descriptor {
	sum := digest(content)
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	if !l.seen[sum] {
		l.seen[sum] = true
		l.blobs = append(l.blobs, file{path: path.Join("blobs/sha256", sum), mode: 0o644, content: content})
	}
	return descriptor{MediaType: mediaType + kind, Digest: "sha256:" + sum, Size: len(content)}
}

// addJSON stores a document.
func (l *layout) addJSON(kind string, document any) (descriptor, error) {
	content, err := json.Marshal(document)
	return l.add(kind, content), err
}

// manifest is an image for one platform, or an index of such.
type manifest struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	Config        *descriptor       `json:"config,omitempty"`
	Layers        []descriptor      `json:"layers,omitempty"`
	Manifests     []descriptor      `json:"manifests,omitempty"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

// release is what the documents of a release say of it.
type release struct {
	version, revision string
	// at is the time of the commit, which stands for the time of the build: that would make two builds differ.
	at time.Time
}

// annotations are those of the OCI specification.
func (r release) annotations(i image) map[string]string {
	return map[string]string{
		"org.opencontainers.image.created":  r.at.Format(time.RFC3339),
		"org.opencontainers.image.licenses": "Apache-2.0",
		"org.opencontainers.image.revision": r.revision,
		"org.opencontainers.image.source":   source,
		"org.opencontainers.image.title":    i.title,
		"org.opencontainers.image.version":  r.version,
	}
}

// addPlatform stores the image for one platform.
func (l *layout) addPlatform(i image, r release, p platform, program []byte) (descriptor, error) {
	layer, err := writeTar(i.files(program), r.at)
	if err != nil {
		return descriptor{}, err
	}
	packed, err := compress(layer)
	if err != nil {
		return descriptor{}, err
	}
	exposed := map[string]struct{}{}
	for _, port := range i.ports {
		exposed[port] = struct{}{}
	}
	config, err := l.addJSON("config.v1+json", map[string]any{
		"created": r.at.Format(time.RFC3339), "os": p.OS, "architecture": p.Architecture,
		"config": map[string]any{
			"User": fmt.Sprintf("%d:%d", user, user), "WorkingDir": "/", "Entrypoint": i.entrypoint, "Env": i.env,
			"ExposedPorts": exposed, "Labels": r.annotations(i),
		},
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{"sha256:" + digest(layer)}},
		"history": []map[string]string{{"created": r.at.Format(time.RFC3339), "created_by": "hawser/tools/image"}},
	})
	if err != nil {
		return descriptor{}, err
	}
	d, err := l.addJSON("manifest.v1+json", manifest{
		SchemaVersion: 2, MediaType: mediaType + "manifest.v1+json", Config: &config,
		Layers: []descriptor{l.add("layer.v1.tar+gzip", packed)}, Annotations: r.annotations(i),
	})
	d.Platform = &p
	return d, err
}

// writeImage returns an image of several platforms as an OCI archive, and the descriptors of its index and of each platform.
func writeImage(i image, r release, platforms []platform, programs [][]byte) (archive []byte, made []descriptor, err error) {
	var l layout
	for n, p := range platforms {
		d, err := l.addPlatform(i, r, p, programs[n])
		if err != nil {
			return nil, nil, err
		}
		made = append(made, d)
	}
	index, err := l.addJSON("index.v1+json", manifest{SchemaVersion: 2, MediaType: mediaType + "index.v1+json", Manifests: made, Annotations: r.annotations(i)})
	if err != nil {
		return nil, nil, err
	}
	entry := index
	// containerd takes the name of the image from the first, other tools the tag from the second.
	entry.Annotations = map[string]string{
		"io.containerd.image.name":          strings.Join([]string{"localhost/" + i.name, r.version}, ":"),
		"org.opencontainers.image.ref.name": r.version,
	}
	top, err := json.Marshal(manifest{SchemaVersion: 2, MediaType: mediaType + "index.v1+json", Manifests: []descriptor{entry}})
	if err != nil {
		return nil, nil, err
	}
	archive, err = writeTar(append([]file{
		{path: "oci-layout", mode: 0o644, content: []byte(`{"imageLayoutVersion":"1.0.0"}`)},
		{path: "index.json", mode: 0o644, content: top},
	}, l.blobs...), r.at)
	return archive, append([]descriptor{index}, made...), err
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
