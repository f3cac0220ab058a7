package picture

import "encoding/binary"

// maxPixels bounds the decoded size of a picture to 256 MB: a file of a hundred bytes can declare gigabytes.
const maxPixels = 1 << 26

// isShowable reports whether a raster image declares a size of at most [maxPixels].
func isShowable(kind string, b []byte) bool {
	n := pixels(kind, b)
	return n > 0 && n <= maxPixels
}

// pixels returns the number of pixels that a raster image declares; 0 if its header is not found.
func pixels(kind string, b []byte) uint64 {
	switch kind {
	case "image/png":
		return area(b, 16, 20, 4, binary.BigEndian)
	case "image/gif":
		return pixelsOfGIF(b)
	case "image/jpeg":
		return pixelsOfJPEG(b)
	case "image/webp":
		return pixelsOfWebP(b)
	case "image/avif":
		return pixelsOfAVIF(b)
	default:
		return 0
	}
}

// area multiplies the width and the height, which are size bytes each at the given offsets.
func area(b []byte, width, height, size int, order binary.ByteOrder) uint64 {
	return number(b, width, size, order) * number(b, height, size, order)
}

// number reads an unsigned integer of two to four bytes; 0 past the end.
func number(b []byte, at, size int, order binary.ByteOrder) uint64 {
	if at+size > len(b) {
		return 0
	}
	word := make([]byte, 4)
	if order == binary.ByteOrder(binary.LittleEndian) {
		copy(word, b[at:at+size])
	} else {
		copy(word[4-size:], b[at:at+size])
	}
	return uint64(order.Uint32(word))
}

// pixelsOfGIF reads the logical screen and the first frame, to which viewers enlarge the screen.
func pixelsOfGIF(b []byte) uint64 {
	const header, descriptor, extension = 13, ',', '!'
	screen, at := area(b, 6, 8, 2, binary.LittleEndian), header
	if len(b) > header && b[10]&0x80 != 0 { // a table of colours follows
		at += 3 << (b[10]&7 + 1)
	}
	for at+1 < len(b) && b[at] == extension {
		for at += 2; at < len(b) && b[at] > 0; { // blocks of data, each after its size
			at += 1 + int(b[at])
		}
		at++
	}
	if at >= len(b) || b[at] != descriptor {
		return 0
	}
	return max(screen, area(b, at+5, at+7, 2, binary.LittleEndian))
}

// pixelsOfJPEG reads the frame header (ITU T.81, B.2.2).
func pixelsOfJPEG(b []byte) uint64 {
	for at := 2; at+4 <= len(b); {
		switch marker := b[at+1]; {
		case b[at] != 0xff, marker == 0xff, marker == 0: // decoders skip what precedes a marker
			at++
		case marker == 0x01 || marker >= 0xd0 && marker <= 0xd7: // without a segment
			at += 2
		case marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
			return area(b, at+7, at+5, 2, binary.BigEndian)
		default:
			at += 2 + int(number(b, at+2, 2, binary.BigEndian))
		}
	}
	return 0
}

// pixelsOfWebP reads the first chunk: VP8X (canvas), VP8L (lossless) or VP8 (lossy).
func pixelsOfWebP(b []byte) uint64 {
	const side = 1<<14 - 1
	switch {
	case len(b) < 16:
		return 0
	case string(b[12:16]) == "VP8X":
		return (number(b, 24, 3, binary.LittleEndian) + 1) * (number(b, 27, 3, binary.LittleEndian) + 1)
	case string(b[12:16]) == "VP8L":
		both := number(b, 21, 4, binary.LittleEndian)
		return (both&side + 1) * (both>>14&side + 1)
	default:
		return (number(b, 26, 2, binary.LittleEndian) & side) * (number(b, 28, 2, binary.LittleEndian) & side)
	}
}
