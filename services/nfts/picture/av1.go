package picture

import "math"

const (
	// sequenceHeader is the type of the unit that declares the size of frames (AV1, 6.2.2).
	sequenceHeader = 1
	// maxUnits bounds the units that are read of one picture.
	maxUnits = 1 << 20
)

// av1Size finds the largest size that the sequence headers of AV1 streams declare.
type av1Size struct {
	pixels uint64
	units  int
}

// read reads a series of open bitstream units (AV1, 5.3). The size is infinite if it cannot be known.
func (s *av1Size) read(b []byte) {
	for ; len(b) > 0; s.units++ {
		if s.units == maxUnits {
			s.pixels = math.MaxUint64
			return
		}
		kind, hasExtension, hasSize := b[0]>>3&15, b[0]&4 != 0, b[0]&2 != 0
		b = b[1:]
		if hasExtension {
			b = b[min(1, len(b)):]
		}
		size := uint64(len(b))
		if hasSize {
			var length int
			if size, length = leb128(b); length == 0 {
				return
			}
			b = b[length:]
			size = min(size, uint64(len(b)))
		}
		if kind == sequenceHeader {
			s.pixels = max(s.pixels, pixelsOfSequence(b[:size]))
		}
		b = b[size:]
	}
}

// leb128 decodes an integer of one to eight bytes (AV1, 4.10.5), and returns it with its length in bytes. The length is 0 if b ends before the
// integer does, or the integer is longer.
func leb128(b []byte) (value uint64, length int) {
	for i := 0; i < min(8, len(b)); i++ {
		value |= uint64(b[i]&0x7f) << (7 * i)
		if b[i]&0x80 == 0 {
			return value, i + 1
		}
	}
	return 0, 0
}

// pixelsOfSequence returns the pixels of the largest frame of a sequence header (AV1, 5.5.1), or infinitely many if the header is cut short.
func pixelsOfSequence(b []byte) uint64 {
	r := bitReader{b: b}
	r.skip(3 + 1) // seq_profile, still_picture
	if reduced := r.flag(); reduced {
		r.skip(5) // seq_level_idx
	} else {
		r.skipOperatingPoints()
	}
	widthBits, heightBits := r.read(4)+1, r.read(4)+1
	width, height := r.read(widthBits)+1, r.read(heightBits)+1
	if r.ended() {
		return math.MaxUint64
	}
	return width * height
}

// skipOperatingPoints skips timing, decoder models and operating points.
func (r *bitReader) skipOperatingPoints() {
	hasModel, delayBits := false, uint64(0)
	if hasTiming := r.flag(); hasTiming {
		r.skip(32 + 32) // num_units_in_display_tick, time_scale
		if equalInterval := r.flag(); equalInterval {
			r.skipUVLC() // num_ticks_per_picture_minus_1
		}
		if hasModel = r.flag(); hasModel {
			delayBits = r.read(5) + 1
			r.skip(32 + 5 + 5) // num_units_in_decoding_tick, buffer_removal_time_length_minus_1, frame_presentation_time_length_minus_1
		}
	}
	hasInitialDelay := r.flag()
	for range r.read(5) + 1 {
		r.skip(12) // operating_point_idc
		if level := r.read(5); level > 7 {
			r.skip(1) // seq_tier
		}
		if hasModel && r.flag() {
			r.skip(2*delayBits + 1) // decoder_buffer_delay, encoder_buffer_delay, low_delay_mode_flag
		}
		if hasInitialDelay && r.flag() {
			r.skip(4) // initial_display_delay_minus_1
		}
	}
}

// bitReader reads big-endian integers of some bits; zeros past the end.
type bitReader struct {
	b  []byte
	at uint64
}

func (r *bitReader) skip(n uint64) { r.at += n }

func (r *bitReader) flag() bool { return r.read(1) == 1 }

func (r *bitReader) read(n uint64) (value uint64) {
	for range n {
		value <<= 1
		if i := r.at / 8; i < uint64(len(r.b)) {
			value |= uint64(r.b[i]>>(7-r.at%8)) & 1
		}
		r.at++
	}
	return value
}

// skipUVLC skips an integer of variable length (AV1, 4.10.3).
func (r *bitReader) skipUVLC() {
	zeros := uint64(0)
	for zeros < 32 && !r.ended() && !r.flag() {
		zeros++
	}
	if zeros < 32 {
		r.skip(zeros)
	}
}

// ended reports whether the reader is past the end.
func (r *bitReader) ended() bool { return r.at > uint64(len(r.b))*8 }
