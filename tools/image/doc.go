// Command image writes what a release consists of, with the standard library and without a container engine or a registry: images as OCI archives, their
// root file systems for deploy/Dockerfile, bills of materials (SPDX), an unsigned statement of provenance (SLSA), archives of the programs, the chart, and
// the checksums of all of it. The same programs give the same bytes.
package main
