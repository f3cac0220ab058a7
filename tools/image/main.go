package main

import (
	"bytes"
	"debug/buildinfo"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

// run writes everything that can be made of the programs in a folder, which are named program-os-architecture.
func run(args []string) error {
	flags := flag.NewFlagSet("image", flag.ContinueOnError)
	programs := flags.String("programs", ".tmp/release/bin", "folder of the programs, named program-os-architecture")
	out := flags.String("out", ".tmp/release", "folder to write to")
	root := flags.String("root", ".", "root of the repository")
	whole := flags.Bool("release", false, "write the archives of the programs, the chart, and the checksums too")
	epoch := flags.Int64("time", 0, "time of the commit, in Unix seconds")
	var r release
	flags.StringVar(&r.version, "version", "dev", "version of the release")
	flags.StringVar(&r.revision, "revision", "unknown", "hash of the commit")
	if err := flags.Parse(args); err != nil {
		return err
	}
	r.at = time.Unix(*epoch, 0).UTC()
	w := &writer{release: r, programs: *programs, out: *out, root: *root}
	for _, i := range images {
		if err := w.image(i); err != nil {
			return fmt.Errorf("%s: %w", i.name, err)
		}
	}
	if *whole {
		if err := errors.Join(w.archives(), w.chart()); err != nil {
			return err
		}
	}
	return errors.Join(w.provenance(), w.checksums())
}

// writer writes the files of one release.
type writer struct {
	release
	programs, out, root string
	written             []subject
	goVersion           string
}

// put writes a file of the release and notes its checksum.
func (w *writer) put(name string, content []byte) error {
	w.written = append(w.written, subject{Name: name, Digest: map[string]string{"sha256": digest(content)}})
	return os.WriteFile(filepath.Join(w.out, name), content, 0o644)
}

// built returns the platforms that a program was built for, and the programs.
func (w *writer) built(program, system string) (platforms []platform, contents [][]byte, err error) {
	for _, architecture := range []string{"amd64", "arm64"} {
		p := platform{OS: system, Architecture: architecture}
		content, err := os.ReadFile(filepath.Join(w.programs, program+"-"+p.String()))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		info, err := buildinfo.Read(bytes.NewReader(content))
		if err != nil {
			return nil, nil, err
		}
		w.goVersion = info.GoVersion
		platforms, contents = append(platforms, p), append(contents, content)
	}
	return platforms, contents, nil
}

// image writes an image for the platforms that its program was built for.
func (w *writer) image(i image) error {
	platforms, programs, err := w.built(i.program, "linux")
	if err != nil {
		return err
	}
	if len(platforms) == 0 {
		return fmt.Errorf("%s has no %s-linux-amd64 nor -arm64", w.programs, i.program)
	}
	archive, made, err := writeImage(i, w.release, platforms, programs)
	if err != nil {
		return err
	}
	if err := w.put(fmt.Sprintf("%s-%s.oci.tar", i.name, w.version), archive); err != nil {
		return err
	}
	for _, d := range made {
		name := "oci:" + i.name + ":" + w.version
		if d.Platform != nil {
			name += "@" + d.Platform.String()
		}
		w.written = append(w.written, subject{Name: name, Digest: map[string]string{"sha256": strings.TrimPrefix(d.Digest, "sha256:")}})
	}
	for n, p := range platforms {
		name := fmt.Sprintf("%s-%s-%s", i.name, w.version, p)
		sbom, err := writeSBOM(name, w.release, programs[n])
		if err != nil {
			return err
		}
		if err := errors.Join(w.put(name+".spdx.json", sbom), w.unpack(i, p, programs[n])); err != nil {
			return err
		}
	}
	return nil
}

// unpack writes the root file system of an image for deploy/Dockerfile.
func (w *writer) unpack(i image, p platform, program []byte) error {
	top := filepath.Join(w.out, "rootfs", i.name, p.String())
	if err := os.RemoveAll(top); err != nil {
		return err
	}
	for _, f := range i.files(program) {
		at := filepath.Join(top, f.path)
		err := os.MkdirAll(filepath.Dir(at), 0o755)
		if f.folder {
			err = os.MkdirAll(at, 0o755)
		} else if err == nil {
			err = os.WriteFile(at, f.content, 0o644)
		}
		mode := fs.FileMode(f.mode) & fs.ModePerm
		if f.mode&0o1000 != 0 {
			mode |= fs.ModeSticky
		}
		if err := errors.Join(err, os.Chmod(at, mode)); err != nil {
			return err
		}
	}
	return nil
}

// archives writes the program for people who run it without containers.
func (w *writer) archives() error {
	for _, system := range []string{"linux", "darwin"} {
		platforms, programs, err := w.built("hawser", system)
		if err != nil {
			return err
		}
		for n, p := range platforms {
			name := fmt.Sprintf("hawser-%s-%s", w.version, p)
			files := []file{{path: name, mode: 0o755, folder: true}, {path: name + "/hawser", mode: 0o755, content: programs[n]}}
			for _, text := range []string{"LICENSE", "NOTICE", "README.md"} {
				content, err := os.ReadFile(filepath.Join(w.root, text))
				if err != nil {
					return err
				}
				files = append(files, file{path: name + "/" + text, mode: 0o644, content: content})
			}
			if err := w.archive(name+".tar.gz", files); err != nil {
				return err
			}
		}
	}
	return nil
}

// chart writes the chart as `helm package` does.
func (w *writer) chart() error {
	top := filepath.Join(w.root, "deploy/charts/hawser")
	var files []file
	err := filepath.WalkDir(top, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(top, at)
		files = append(files, file{path: "hawser/" + filepath.ToSlash(below), mode: 0o644, content: content})
		return err
	})
	if err != nil {
		return err
	}
	return w.archive(fmt.Sprintf("hawser-chart-%s.tgz", w.version), files)
}

func (w *writer) archive(name string, files []file) error {
	raw, err := writeTar(files, w.at)
	if err != nil {
		return err
	}
	packed, err := compress(raw)
	if err != nil {
		return err
	}
	return w.put(name, packed)
}

// provenance writes the statement about everything that was written.
func (w *writer) provenance() error {
	statement, err := writeProvenance(w.release, w.goVersion, w.written)
	if err != nil {
		return err
	}
	return w.put(fmt.Sprintf("hawser-%s.provenance.json", w.version), statement)
}

// checksums writes SHA256SUMS, as sha256sum -c reads it.
func (w *writer) checksums() error {
	var lines []string
	for _, s := range w.written {
		if !strings.HasPrefix(s.Name, "oci:") {
			lines = append(lines, s.Digest["sha256"]+"  "+s.Name+"\n")
		}
	}
	slices.Sort(lines)
	return os.WriteFile(filepath.Join(w.out, "SHA256SUMS"), []byte(strings.Join(lines, "")), 0o644)
}
