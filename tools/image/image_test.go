package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// released is the folder of a release that every test reads.
var released string

func TestMain(m *testing.M) {
	var err error
	if released, err = os.MkdirTemp("", "release-"); err == nil {
		err = makeRelease(released)
	}
	if err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(released)
	os.Exit(code)
}

// makeRelease writes a release of this test's own program under the names of all.
func makeRelease(out string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	programs := filepath.Join(out, "bin")
	if err := os.Mkdir(programs, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"hawser-linux-amd64", "hawser-linux-arm64", "hawser-darwin-arm64", "nats-server-linux-amd64"} {
		if err := os.Symlink(self, filepath.Join(programs, name)); err != nil {
			return err
		}
	}
	return run([]string{"-programs", programs, "-out", out, "-root", "../..", "-release", "-version", "1.2.3", "-revision", strings.Repeat("a", 40), "-time", "1700000000"})
}

func TestAReleaseIsTheSameBytesTwice(t *testing.T) {
	first, second := released, t.TempDir()
	if err := makeRelease(second); err != nil {
		t.Fatal(err)
	}
	sums := read(t, first, "SHA256SUMS")
	if again := read(t, second, "SHA256SUMS"); !bytes.Equal(sums, again) {
		t.Errorf("%s\n%s", sums, again)
	}
	check := exec.Command("sha256sum", "-c", "--quiet", "SHA256SUMS")
	check.Dir = first
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	for _, name := range []string{"hawser-1.2.3.oci.tar", "hawser-nats-1.2.3.oci.tar", "hawser-1.2.3-linux-arm64.spdx.json", "hawser-1.2.3-darwin-arm64.tar.gz", "hawser-chart-1.2.3.tgz", "hawser-1.2.3.provenance.json"} {
		if !bytes.Contains(sums, []byte("  "+name+"\n")) {
			t.Errorf("no %s", name)
		}
	}
}

func TestAnImageRefersToWhatItHolds(t *testing.T) {
	blobs := unpackTar(t, read(t, released, "hawser-1.2.3.oci.tar"))
	for name, blob := range blobs {
		if sum, isBlob := strings.CutPrefix(name, "blobs/sha256/"); isBlob {
			if got := sha256.Sum256(blob); hex.EncodeToString(got[:]) != sum {
				t.Errorf("%s has another hash", name)
			}
		}
	}
	blob := func(d descriptor) []byte {
		content := blobs["blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:")]
		if len(content) != d.Size {
			t.Errorf("%s %s has %d bytes, and the archive %d", d.MediaType, d.Digest, d.Size, len(content))
		}
		return content
	}
	top := parse[manifest](t, blobs["index.json"])
	index := parse[manifest](t, blob(top.Manifests[0]))
	var platforms []string
	for _, d := range index.Manifests {
		platforms = append(platforms, d.Platform.String())
		m := parse[manifest](t, blob(d))
		config := parse[struct {
			Architecture string
			Config       struct {
				User       string
				Entrypoint []string
			}
			RootFS struct {
				DiffIDs []string `json:"diff_ids"`
			}
		}](t, blob(*m.Config))
		packed, err := gzip.NewReader(bytes.NewReader(blob(m.Layers[0])))
		if err != nil {
			t.Fatal(err)
		}
		layer, err := io.ReadAll(packed)
		if err != nil {
			t.Fatal(err)
		}
		if want := "sha256:" + digest(layer); config.RootFS.DiffIDs[0] != want || config.Architecture != d.Platform.Architecture {
			t.Errorf("the configuration of %s names the layer %s, which is %s", config.Architecture, config.RootFS.DiffIDs[0], want)
		}
		if config.Config.User != "65532:65532" || !slices.Equal(config.Config.Entrypoint, []string{"/hawser"}) {
			t.Errorf("it runs %v as %s", config.Config.Entrypoint, config.Config.User)
		}
		held := unpackTar(t, layer)
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(held[certificates]) || len(held["hawser"]) == 0 {
			t.Error("the layer lacks certificates or the program")
		}
		for name := range held {
			if strings.HasPrefix(name, "bin/") || strings.HasSuffix(name, "sh") {
				t.Errorf("the image has %s", name)
			}
		}
	}
	if !slices.Equal(platforms, []string{"linux-amd64", "linux-arm64"}) {
		t.Errorf("platforms %v", platforms)
	}
}

func TestTheDocumentsNameTheModulesTheCommitAndTheFiles(t *testing.T) {
	sbom := parse[struct {
		SPDXVersion   string `json:"spdxVersion"`
		Packages      []spdxPackage
		Relationships []spdxRelationship
	}](t, read(t, released, "hawser-1.2.3-linux-amd64.spdx.json"))
	named := map[string]bool{}
	for _, p := range sbom.Packages {
		named[p.Name] = true
	}
	if sbom.SPDXVersion != "SPDX-2.3" || !named["golang.org/x/crypto/x509roots/fallback"] || !named["stdlib"] || len(sbom.Relationships) != len(sbom.Packages) {
		t.Errorf("%d packages: %v", len(sbom.Packages), named)
	}
	statement := parse[struct {
		Subject   []subject
		Predicate struct {
			BuildDefinition struct {
				ResolvedDependencies []struct{ Digest map[string]string }
			}
		}
	}](t, read(t, released, "hawser-1.2.3.provenance.json"))
	sums := string(read(t, released, "SHA256SUMS"))
	files := 0
	for _, s := range statement.Subject {
		if !strings.HasPrefix(s.Name, "oci:") {
			files++
			if !strings.Contains(sums, s.Digest["sha256"]+"  "+s.Name+"\n") {
				t.Errorf("SHA256SUMS has another hash of %s", s.Name)
			}
		}
	}
	if commit := statement.Predicate.BuildDefinition.ResolvedDependencies[0].Digest["gitCommit"]; files != strings.Count(sums, "\n")-1 || commit != strings.Repeat("a", 40) {
		t.Errorf("%d files of %s", files, commit)
	}
}

// The Dockerfile copies the root file system that the release has written, and declares the rest by itself.
func TestTheDockerfileDeclaresWhatTheImageDoes(t *testing.T) {
	content := read(t, "../../deploy", "Dockerfile")
	i := images[0]
	entrypoint, err := json.Marshal(i.entrypoint)
	if err != nil {
		t.Fatal(err)
	}
	var ports []string
	for _, p := range i.ports {
		ports = append(ports, strings.TrimSuffix(p, "/tcp"))
	}
	want := []string{
		"ARG TARGETOS=linux", "ARG TARGETARCH=amd64",
		"FROM scratch",
		"COPY rootfs/" + i.name + "/${TARGETOS}-${TARGETARCH}/ /",
		"COPY --chown=65532:65532 rootfs/" + i.name + "/${TARGETOS}-${TARGETARCH}/" + i.data + "/ /" + i.data + "/",
		"ENV " + strings.Join(i.env, " "),
		"EXPOSE " + strings.Join(ports, " "),
		"USER 65532:65532", "WORKDIR /",
		"ENTRYPOINT " + string(entrypoint),
	}
	slices.Sort(want)
	var got []string
	for line := range strings.Lines(string(content)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			got = append(got, line)
		}
	}
	// Arguments are declared again after FROM, as Docker requires.
	slices.Sort(got)
	got = slices.Compact(got)
	if !slices.Equal(got, want) {
		t.Errorf("the Dockerfile says\n%s\nand the image is\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestTheUnpackedRootIsTheLayer(t *testing.T) {
	top := filepath.Join(released, "rootfs/hawser/linux-amd64")
	var unpacked []string
	err := filepath.WalkDir(top, func(at string, _ os.DirEntry, err error) error {
		if below, _ := filepath.Rel(top, at); below != "." {
			unpacked = append(unpacked, below)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var laid []string
	for _, f := range images[0].files(nil) {
		laid = append(laid, f.path)
		info, err := os.Stat(filepath.Join(top, f.path))
		if err != nil {
			t.Fatal(err)
		}
		if got := int64(info.Mode().Perm()); got != f.mode&0o777 {
			t.Errorf("%s has mode %o, and in the layer %o", f.path, got, f.mode)
		}
	}
	if !slices.Equal(unpacked, laid) {
		t.Errorf("unpacked %v, in the layer %v", unpacked, laid)
	}
}

func read(t *testing.T, folder, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func parse[T any](t *testing.T, raw []byte) (v T) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v: %.100s", err, raw)
	}
	return v
}

func unpackTar(t *testing.T, raw []byte) map[string][]byte {
	t.Helper()
	held := map[string][]byte{}
	r := tar.NewReader(bytes.NewReader(raw))
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return held
		}
		if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(time.Unix(1700000000, 0)) {
			t.Errorf("%s is of %s", h.Name, h.ModTime)
		}
		if held[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}
