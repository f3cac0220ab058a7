package picture

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"runtime"
	"slices"
	"testing"
)

// sized encodes the header of an image of each format, with its size.
var sized = map[string]func(tb testing.TB, width, height int) []byte{
	"png": func(tb testing.TB, width, height int) []byte {
		b := encoded(tb, func(b *bytes.Buffer) error { return png.Encode(b, dot) })
		binary.BigEndian.PutUint32(b[16:], uint32(width))
		binary.BigEndian.PutUint32(b[20:], uint32(height))
		return b
	},
	"gif": func(tb testing.TB, width, height int) []byte {
		b := encoded(tb, func(b *bytes.Buffer) error { return gif.Encode(b, dot, nil) })
		binary.LittleEndian.PutUint16(b[6:], uint16(width))
		binary.LittleEndian.PutUint16(b[8:], uint16(height))
		return b
	},
	"gif whose frame is larger than its screen": func(tb testing.TB, width, height int) []byte {
		b := encoded(tb, func(b *bytes.Buffer) error { return gif.Encode(b, dot, nil) })
		frame := bytes.Index(b, []byte{',', 0, 0, 0, 0, 1, 0, 1, 0})
		binary.LittleEndian.PutUint16(b[frame+5:], uint16(width))
		binary.LittleEndian.PutUint16(b[frame+7:], uint16(height))
		return slices.Insert(b, frame, []byte("!\xfe\x03,,,\x01,\x00")...) // a comment of two parts
	},
	"jpeg": func(tb testing.TB, width, height int) []byte {
		b := encoded(tb, func(b *bytes.Buffer) error { return jpeg.Encode(b, dot, nil) })
		frame := bytes.Index(b, []byte{0xff, 0xc0})
		binary.BigEndian.PutUint16(b[frame+5:], uint16(height))
		binary.BigEndian.PutUint16(b[frame+7:], uint16(width))
		// EXIF data comes first, and may contain what looks like a frame header.
		said := []byte{0xff, 0xe1, 0, 12, 0xff, 0xc0, 0, 0, 0, 0, 1, 0, 1, 0}
		return append(append(bytes.Clone(b[:2]), said...), b[2:]...)
	},
	"webp of several": func(_ testing.TB, width, height int) []byte {
		b := append([]byte("RIFF\x16\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00"), make([]byte, 6)...)
		putUint24(b[24:], width-1)
		putUint24(b[27:], height-1)
		return b
	},
	"webp": func(_ testing.TB, width, height int) []byte {
		b := append([]byte("RIFF\x16\x00\x00\x00WEBPVP8 \x0a\x00\x00\x00\x00\x00\x00\x9d\x01\x2a"), make([]byte, 4)...)
		binary.LittleEndian.PutUint16(b[26:], uint16(width))
		binary.LittleEndian.PutUint16(b[28:], uint16(height))
		return b
	},
	"webp without loss": func(_ testing.TB, width, height int) []byte {
		b := append([]byte("RIFF\x11\x00\x00\x00WEBPVP8L\x05\x00\x00\x00\x2f"), make([]byte, 4)...)
		binary.LittleEndian.PutUint32(b[21:], uint32(width-1)|uint32(height-1)<<14)
		return b
	},
	"avif": func(_ testing.TB, width, height int) []byte {
		return avifOf(slices.Concat(ispe(1, 1), ispe(width, height)), reducedStream(1, 1))
	},
	"avif whose stream is larger than its box": func(_ testing.TB, width, height int) []byte {
		return avifOf(ispe(1, 1), reducedStream(width, height))
	},
	"avif whose stream is in parts": func(_ testing.TB, width, height int) []byte {
		return avifOf(ispe(1, 1), reducedStream(width, height)[:4], reducedStream(width, height)[4:])
	},
	"avif whose second sequence is larger": func(_ testing.TB, width, height int) []byte {
		return avifOf(ispe(1, 1), slices.Concat(reducedStream(1, 1), timedStream(width, height)))
	},
	"avif with its stream beside the locations": func(_ testing.TB, width, height int) []byte {
		stream := reducedStream(width, height)
		item := slices.Concat([]byte{1, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, []byte{byte(len(stream))})
		return slices.Concat(ftyp, box("meta", make([]byte, 4), ispe(1, 1), box("iloc", item), box("idat", stream)))
	},
	"avif of several frames": func(_ testing.TB, width, height int) []byte {
		stream := box("mdat", timedStream(1, 1), timedStream(width, height))
		chunk := binary.BigEndian.AppendUint32([]byte{0, 0, 0, 0, 0, 0, 0, 1}, uint32(len(ftyp)+8))
		track := box("trak", box("mdia", box("minf", box("stbl", box("stco", chunk)))))
		return slices.Concat(ftyp, stream, box("moov", track))
	},
	"avif whose track is larger than its frames": func(_ testing.TB, width, height int) []byte {
		sides := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(make([]byte, 76), uint32(width)<<16), uint32(height)<<16)
		return slices.Concat(avifOf(nil, reducedStream(1, 1)), box("moov", box("trak", box("tkhd", sides))))
	},
}

var ftyp = box("ftyp", []byte("avif\x00\x00\x00\x00avif"))

func box(kind string, contents ...[]byte) []byte {
	content := slices.Concat(contents...)
	return slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(8+len(content))), []byte(kind), content)
}

func ispe(width, height int) []byte {
	return box("ispe", binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(make([]byte, 4), uint32(width)), uint32(height)))
}

// avifOf is an AVIF with one item, whose stream is in parts.
func avifOf(properties []byte, parts ...[]byte) []byte {
	mdat := box("mdat", parts...)
	at := uint32(len(ftyp) + 8)
	item := []byte{0, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 0, 0, byte(len(parts))}
	for _, p := range parts {
		item = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(item, at), uint32(len(p)))
		at += uint32(len(p))
	}
	return slices.Concat(ftyp, mdat, box("meta", make([]byte, 4), box("iloc", item), properties))
}

// bits are unsigned integers, each of a number of bits.
type bits []struct{ value, size int }

func (s bits) unit(kind byte) []byte {
	var b []byte
	at := 0
	for _, n := range s {
		for i := n.size - 1; i >= 0; i-- {
			if at%8 == 0 {
				b = append(b, 0)
			}
			b[at/8] |= byte(n.value>>i&1) << (7 - at%8)
			at++
		}
	}
	return append([]byte{kind<<3 | 2, byte(len(b))}, b...)
}

// reducedStream has a temporal delimiter and the sequence header of a still picture.
func reducedStream(width, height int) []byte {
	header := bits{{0, 3}, {1, 1}, {1, 1}, {31, 5}, {15, 4}, {15, 4}, {width - 1, 16}, {height - 1, 16}}
	return append([]byte{2<<3 | 2, 0}, header.unit(1)...)
}

// timedStream has a sequence header with every optional part.
func timedStream(width, height int) []byte {
	return bits{
		{0, 3}, {0, 1}, {0, 1}, {1, 1}, {1, 32}, {25, 32}, {1, 1}, {0b00101, 5}, // timing
		{1, 1}, {9, 5}, {1, 32}, {9, 5}, {9, 5}, {1, 1}, {1, 5}, // decoder model, delay, two operating points
		{0, 12}, {8, 5}, {1, 1}, {1, 1}, {7, 10}, {7, 10}, {1, 1}, {1, 1}, {9, 4},
		{0, 12}, {7, 5}, {0, 1}, {0, 1},
		{15, 4}, {15, 4}, {width - 1, 16}, {height - 1, 16},
	}.unit(1)
}

func TestAnAVIFThatIsExpensiveToReadIsRefused(t *testing.T) {
	many := binary.BigEndian.AppendUint32(make([]byte, 4), 1<<20)
	for range 1 << 20 {
		many = binary.BigEndian.AppendUint32(many, 0)
	}
	// Each of these items has 65,535 parts of no bytes, and takes eight bytes of the file.
	items := []byte{1, 0, 0, 0, 0, 0, 255, 255}
	for range 1 << 16 {
		items = append(items, 0, 1, 0, 1, 0, 0, 255, 255)
	}
	empty := slices.Concat(ftyp, box("meta", make([]byte, 4), box("iloc", items)))
	// The item of each of these lists has three parts, each of all bytes of the file.
	lists := bytes.Repeat(box("iloc", []byte{0, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 0, 0, 3}, make([]byte, 3*8)), 1<<15)
	whole := slices.Concat(ftyp, box("meta", make([]byte, 4), lists))
	for behaviour, b := range map[string][]byte{
		"chunks that overlap":  slices.Concat(ftyp, box("moov", box("stco", many))),
		"boxes in boxes":       slices.Concat(ftyp, bytes.Repeat([]byte("\x00\x00\x00\x00moov"), 1<<20)),
		"a stream cut short":   avifOf(ispe(1, 1), reducedStream(1, 1)[:7]),
		"items without parts":  slices.Concat(ftyp, box("meta", make([]byte, 4), box("iloc", []byte{2, 0, 0, 0, 0x44, 0, 255, 255, 255, 255}))),
		"items of empty parts": empty,
		"many lists of items":  whole,
	} {
		if p, err := Read(b); !errors.Is(err, ErrNone) {
			t.Errorf("%s passed for %s", behaviour, p.MediaType)
		}
	}
	for behaviour, b := range map[string][]byte{"items of empty parts": empty, "many lists of items": whole} {
		f := avif{file: b, left: maxItems * len(b), joins: len(b)}
		if f.readBoxes(b, nil, 0); f.left >= 0 && f.joins >= 0 {
			t.Errorf("%s are read to their end", behaviour)
		}
	}
}

// Decoders skip what precedes a marker of a JPEG, and the tracks of an AVIF have their own size.
func TestPicturesWhoseSizeIsNotKnownAreRefused(t *testing.T) {
	large := sized["jpeg"](t, 16383, 16383)
	for behaviour, b := range map[string][]byte{
		"a JPEG with bytes before a marker": slices.Insert(bytes.Clone(large), 16, 0, 0, 0),
		"an AVIF without an image":          []byte("\x00\x00\x00\x14ftypavis\x00\x00\x00\x00avis"),
		"a PNG without a header":            []byte("\x89PNG\r\n\x1a\n"),
	} {
		if p, err := Read(b); !errors.Is(err, ErrNone) {
			t.Errorf("%s passed for %s", behaviour, p.MediaType)
		}
		embedded := `<svg xmlns="` + svgSpace + `"><image href="data:image/png;base64,` + base64.StdEncoding.EncodeToString(b) + `"/></svg>`
		if p, err := Read([]byte(embedded)); err != nil || bytes.Contains(p.Bytes, []byte("data:")) {
			t.Errorf("%s passed within an SVG: %v", behaviour, err)
		}
	}
}

func TestPicturesAboveThePixelLimitAreRefused(t *testing.T) {
	for kind, head := range sized {
		t.Run(kind, func(t *testing.T) {
			for _, side := range [][2]int{{1, 1}, {8192, 8192}, {4096, 16383}} {
				b := head(t, side[0], side[1])
				if got, err := Read(b); err != nil || !bytes.Equal(got.Bytes, b) {
					t.Errorf("%v: %v", side, err)
				}
			}
			for _, side := range [][2]int{{8193, 8192}, {16383, 16383}} {
				if got, err := Read(head(t, side[0], side[1])); !errors.Is(err, ErrNone) {
					t.Errorf("%v passed for %s", side, got.MediaType)
				}
			}
		})
	}
}

// FuzzPixelsTerminates checks that reading any header terminates.
func FuzzPixelsTerminates(f *testing.F) {
	for _, head := range sized {
		f.Add(head(f, 300, 200))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, err := Read(b); err != nil && !errors.Is(err, ErrNone) {
			t.Fatalf("%s, %v", got.MediaType, err)
		}
	})
}

var dot = image.NewRGBA(image.Rect(0, 0, 1, 1))

func encoded(tb testing.TB, encode func(*bytes.Buffer) error) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func putUint24(b []byte, n int) { b[0], b[1], b[2] = byte(n), byte(n>>8), byte(n>>16) }

func TestRasterInsideAnSVGHasTheSamePixelLimit(t *testing.T) {
	head := "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"
	small, large := head+"\x00\x00\x00\x10\x00\x00\x00\x10", head+"\x00\x01\x00\x00\x00\x01\x00\x00"
	for raster, want := range map[string]bool{small: true, large: false} {
		value := "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(raster))
		if got := isEmbeddedRaster(value); got != want {
			t.Errorf("%q: %v", raster, got)
		}
	}
}

func TestPartsOfAnItemTakeNoMoreThanTheFile(t *testing.T) {
	const parts = maxItems - 1
	for behaviour, item := range map[string][]byte{
		"one item of many parts": {0, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 0, 0, parts},
		"many items of one part": append([]byte{0, 0, 0, 0, 0x44, 0, 0, parts}, bytes.Repeat([]byte{0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}, parts-1)...),
	} {
		// A part of length 0 is the rest of the file.
		b := slices.Concat(ftyp, box("meta", make([]byte, 4), box("iloc", item, make([]byte, 8*parts))), box("free", make([]byte, 1<<20)))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f := avif{file: b, left: maxItems * len(b), joins: len(b)}
		f.readBoxes(b, nil, 0)
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<20 {
			t.Errorf("%s takes %d bytes for a file of %d", behaviour, taken, len(b))
		}
	}
}
