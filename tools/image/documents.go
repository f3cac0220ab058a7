package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"
	"time"
)

const (
	source = "https://github.com/hawser-dev/hawser"
	// licence is that of the product.
	licence = "Apache-2.0"
)

// spdxPackage is a package of SPDX 2.3.
type spdxPackage struct {
	ID               string         `json:"SPDXID"`
	Name             string         `json:"name"`
	Version          string         `json:"versionInfo"`
	DownloadLocation string         `json:"downloadLocation"`
	FilesAnalyzed    bool           `json:"filesAnalyzed"`
	LicenseConcluded string         `json:"licenseConcluded"`
	LicenseDeclared  string         `json:"licenseDeclared"`
	CopyrightText    string         `json:"copyrightText"`
	ExternalRefs     []spdxRef      `json:"externalRefs,omitempty"`
	Checksums        []spdxChecksum `json:"checksums,omitempty"`
	Purpose          string         `json:"primaryPackagePurpose,omitempty"`
}

type spdxRef struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

type spdxChecksum struct {
	Algorithm string `json:"algorithm"`
	Value     string `json:"checksumValue"`
}

type spdxRelationship struct {
	Element string `json:"spdxElementId"`
	Type    string `json:"relationshipType"`
	Related string `json:"relatedSpdxElement"`
}

// writeSBOM returns the modules that a program was built from, which the compiler writes into it, as an SPDX document.
func writeSBOM(name string, r release, program []byte) ([]byte, error) {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	const root = "SPDXRef-program"
	packages := []spdxPackage{{
		ID: root, Name: name, Version: r.version, DownloadLocation: "NOASSERTION", LicenseConcluded: "NOASSERTION",
		LicenseDeclared: "NOASSERTION", CopyrightText: "NOASSERTION", Purpose: "APPLICATION",
		Checksums: []spdxChecksum{{"SHA256", digest(program)}},
	}}
	relations := []spdxRelationship{{"SPDXRef-DOCUMENT", "DESCRIBES", root}}
	modules := append([]*debug.Module{{Path: "stdlib", Version: strings.TrimPrefix(info.GoVersion, "go")}, &info.Main}, info.Deps...)
	for n, m := range modules {
		p := modulePackage(m, r)
		p.ID = fmt.Sprintf("SPDXRef-module-%d", n)
		packages = append(packages, p)
		relations = append(relations, spdxRelationship{root, "DEPENDS_ON", p.ID})
	}
	return document(map[string]any{
		"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
		"documentNamespace": fmt.Sprintf("%s/sbom/%s/%s", source, name, digest(program)),
		"creationInfo":      map[string]any{"created": r.at.Format(time.RFC3339), "creators": []string{"Tool: hawser/tools/image"}},
		"packages":          packages, "relationships": relations,
	})
}

// modulePackage describes a module. Those of the workspace have no version of their own.
func modulePackage(m *debug.Module, r release) spdxPackage {
	declared := "NOASSERTION"
	if m.Replace != nil {
		m = m.Replace
	}
	version := m.Version
	if strings.HasPrefix(m.Path, "github.com/hawser-dev/hawser/") {
		version, declared = r.version, licence
	}
	return spdxPackage{
		Name: m.Path, Version: version, DownloadLocation: "NOASSERTION", LicenseConcluded: "NOASSERTION", LicenseDeclared: declared, CopyrightText: "NOASSERTION",
		ExternalRefs: []spdxRef{{"PACKAGE-MANAGER", "purl", "pkg:golang/" + m.Path + "@" + version}},
	}
}

// subject is a file or an image that a statement is about.
type subject struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

// writeProvenance returns an in-toto statement that says from which commit the subjects were built (SLSA provenance 1), unsigned.
func writeProvenance(r release, goVersion string, subjects []subject) ([]byte, error) {
	return document(map[string]any{
		"_type": "https://in-toto.io/Statement/v1", "subject": subjects, "predicateType": "https://slsa.dev/provenance/v1",
		"predicate": map[string]any{
			"buildDefinition": map[string]any{
				"buildType":          source + "/blob/main/tools/image/doc.go",
				"externalParameters": map[string]string{"version": r.version, "revision": r.revision},
				"internalParameters": map[string]string{"go": goVersion},
				"resolvedDependencies": []map[string]any{
					{"uri": "git+" + source, "digest": map[string]string{"gitCommit": r.revision}},
				},
			},
			"runDetails": map[string]any{"builder": map[string]string{"id": source + "/blob/main/Makefile"}},
		},
	})
}

func document(of any) ([]byte, error) {
	raw, err := json.MarshalIndent(of, "", "  ")
	return append(raw, '\n'), err
}
