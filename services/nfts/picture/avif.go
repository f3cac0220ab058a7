package picture

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math"
	"slices"
)

const (
	// maxBoxDepth exceeds the depth of the boxes that are read of an AVIF.
	maxBoxDepth = 8
	// maxItems bounds the bytes and the parts of all items, in sizes of the file: some may have the same bytes, or none.
	maxItems = 4
)

// pixelsOfAVIF returns the pixels of the largest image or frame: what the boxes declare, and what the AV1 streams do, which may be more. It is 0
// if no stream is found.
func pixelsOfAVIF(b []byte) uint64 {
	f := avif{file: b, left: maxItems * len(b), joins: len(b)}
	f.readBoxes(b, nil, 0)
	if f.coded.pixels == 0 {
		return 0
	}
	return max(f.declared, pixelsOfISPE(b), f.coded.pixels)
}

// pixelsOfISPE returns the pixels of the largest image that an ispe box declares (ISO/IEC 23008-12, 6.5.3).
func pixelsOfISPE(b []byte) (most uint64) {
	box := []byte("ispe")
	for at := bytes.Index(b, box); at >= 0; {
		b = b[at+len(box):]
		most = max(most, area(b, 4, 8, 4, binary.BigEndian))
		at = bytes.Index(b, box)
	}
	return most
}

// avif finds the AV1 streams of a file.
type avif struct {
	file []byte
	// declared is the size of the largest track.
	declared uint64
	coded    av1Size
	// left is how many more bytes and parts of items are read, and joins how many bytes of parts are joined. No file needs more than its own size.
	left, joins int
}

// readBoxes reads the boxes in b (ISO/IEC 14496-12, 4.2). idat is the content of the box of that name beside them.
func (f *avif) readBoxes(b, idat []byte, depth int) {
	for kind, content := range boxes(b) {
		switch kind {
		case "moov", "trak", "mdia", "minf", "stbl":
			if depth < maxBoxDepth {
				f.readBoxes(content, nil, depth+1)
			}
		case "meta":
			if content = content[min(4, len(content)):]; depth < maxBoxDepth {
				f.readBoxes(content, idatOf(content), depth+1)
			}
		case "tkhd":
			if end := len(content); end >= 8 {
				f.declared = max(f.declared, area(content, end-8, end-4, 2, binary.BigEndian))
			}
		case "stco":
			f.readChunks(content, 4)
		case "co64":
			f.readChunks(content, 8)
		case "iloc":
			f.readItems(content, idat)
		}
	}
}

// boxes returns the types and contents of a series of boxes. A box that is cut short ends with b.
func boxes(b []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for len(b) >= 8 {
			header, size := uint64(8), number(b, 0, 4, binary.BigEndian)
			kind := string(b[4:8])
			switch {
			case size == 1 && len(b) >= 16:
				header, size = 16, binary.BigEndian.Uint64(b[8:])
			case size == 0:
				size = uint64(len(b))
			}
			size = max(header, min(size, uint64(len(b))))
			if !yield(kind, b[header:size]) {
				return
			}
			b = b[size:]
		}
	}
}

func idatOf(b []byte) []byte {
	for kind, content := range boxes(b) {
		if kind == "idat" {
			return content
		}
	}
	return nil
}

// readChunks reads the samples of a track: they are in chunks at offsets of size bytes (ISO/IEC 14496-12, 8.7.5), each a series of units.
func (f *avif) readChunks(b []byte, size int) {
	r := bitReader{b: b}
	r.skip(32) // version, flags
	for range r.read(32) {
		offset := r.read(uint64(8 * size))
		if r.ended() || f.coded.pixels > maxPixels {
			return
		}
		f.coded.read(f.file[min(offset, uint64(len(f.file))):])
	}
}

// readItems reads the items of an iloc box (ISO/IEC 14496-12, 8.11.3). Items that are not AV1 streams have no sequence header.
func (f *avif) readItems(b, idat []byte) {
	r := bitReader{b: b}
	version := r.read(8)
	r.skip(24) // flags
	offsetBits, lengthBits, baseBits, indexBits := 8*r.read(4), 8*r.read(4), 8*r.read(4), 8*r.read(4)
	idBits := uint64(16)
	if version == 2 {
		idBits = 32
	}
	for range r.read(idBits) {
		if r.ended() || f.coded.pixels > maxPixels {
			return
		}
		r.skip(idBits)
		source := f.file
		if version > 0 {
			r.skip(12)
			if method := r.read(4); method == 1 {
				source = idat
			}
		} else {
			indexBits = 0
		}
		r.skip(16) // data_reference_index
		base := r.read(baseBits)
		var parts [][]byte
		size := 0
		for range r.read(16) {
			r.skip(indexBits)
			offset, length := base+r.read(offsetBits), r.read(lengthBits)
			if r.ended() {
				return
			}
			extent := part(source, offset, length)
			if f.left -= 1 + len(extent); f.left < 0 {
				f.coded.pixels = math.MaxUint64
				return
			}
			parts, size = append(parts, extent), size+len(extent)
		}
		if len(parts) == 1 {
			f.coded.read(parts[0])
			continue
		}
		if f.joins -= size; f.joins < 0 {
			f.coded.pixels = math.MaxUint64
			return
		}
		f.coded.read(slices.Concat(parts...))
	}
}

// part returns a part of source; a length of 0 is all that follows the offset.
func part(source []byte, offset, length uint64) []byte {
	source = source[min(offset, uint64(len(source))):]
	if length > 0 {
		source = source[:min(length, uint64(len(source)))]
	}
	return source
}
