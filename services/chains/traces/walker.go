package traces

// walker walks once over valid JSON, without a value in memory for what it skips.
type walker struct {
	b  []byte
	at int
}

func (w *walker) space() {
	for w.at < len(w.b) {
		switch w.b[w.at] {
		case ' ', '\t', '\r', '\n':
			w.at++
		default:
			return
		}
	}
}

// is reports whether the next value begins with a character.
func (w *walker) is(first byte) bool {
	w.space()
	return w.at < len(w.b) && w.b[w.at] == first
}

// enter begins to read an object or an array, which is next.
func (w *walker) enter() {
	w.space()
	w.at++
}

// next reports whether the object or array has another member or element, and ends it if not.
func (w *walker) next() bool {
	w.space()
	switch w.b[w.at] {
	case '}', ']':
		w.at++
		return false
	case ',':
		w.at++
	}
	return true
}

// name reads the name of a member, as it is written.
func (w *walker) name() []byte {
	quoted := w.raw()
	w.space()
	w.at++ // the colon
	return quoted[1 : len(quoted)-1]
}

// raw reads one value and returns its text.
func (w *walker) raw() []byte {
	w.space()
	start := w.at
	w.skip()
	return w.b[start:w.at:w.at]
}

// skip skips one value by counting its brackets.
func (w *walker) skip() {
	open := 0
	for w.at < len(w.b) {
		switch w.b[w.at] {
		case '{', '[':
			open++
			w.at++
		case '}', ']':
			open--
			w.at++
		case ' ', '\t', '\r', '\n', ',', ':':
			w.at++
			continue
		default:
			w.scalar()
		}
		if open == 0 {
			return
		}
	}
}

// scalar skips a string, a number, true, false or null.
func (w *walker) scalar() {
	if w.b[w.at] == '"' {
		for w.at++; w.b[w.at] != '"'; w.at++ {
			if w.b[w.at] == '\\' {
				w.at++
			}
		}
		w.at++
		return
	}
	for w.at < len(w.b) {
		switch w.b[w.at] {
		case ' ', '\t', '\r', '\n', ',', ':', '}', ']':
			return
		}
		w.at++
	}
}
