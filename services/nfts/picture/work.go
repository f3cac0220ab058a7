package picture

import "regexp"

// maxWork bounds how many parts of a picture are drawn, those counted again that are drawn again: patterns of patterns, and uses of uses,
// multiply at each level, and a picture of one kilobyte could keep its viewer busy for ever.
const maxWork = 50_000

// work estimates what a picture costs to draw. Its nodes are the elements that have an id, and the picture itself, which has the id "".
type work struct {
	// own counts the elements of a node that lie in no other node within it.
	own map[string]int
	// leads lists the nodes that a node draws: those that lie in it, and those it refers to, as often as it does.
	leads map[string][]string
}

func newWork() work { return work{own: map[string]int{}, leads: map[string][]string{}} }

// add counts an element within a node. id is the element's own, or empty.
func (w work) add(node, id string) {
	if id == "" {
		w.own[node]++
		return
	}
	w.own[id]++
	w.leads[node] = append(w.leads[node], id)
}

// refer counts the references in an attribute's value of an element within a node.
func (w work) refer(node, name, value string) {
	if name == "href" && len(value) > 1 && value[0] == '#' {
		w.leads[node] = append(w.leads[node], value[1:])
		return
	}
	for _, m := range fragments.FindAllStringSubmatch(value, -1) {
		w.leads[node] = append(w.leads[node], m[1])
	}
}

var fragments = regexp.MustCompile(`(?i)url\s*\(\s*["']?\s*#([^"')\s]+)`)

// bounded reports whether a picture ends, and within [maxWork].
func (w work) bounded() bool {
	_, ok := w.cost("", map[string]int{})
	return ok
}

// cost counts what a node draws; false when that is too much, or itself. known holds what was counted, and -1 for what is being counted.
func (w work) cost(node string, known map[string]int) (int, bool) {
	if c, ok := known[node]; ok {
		return c, c >= 0
	}
	known[node] = -1
	total := w.own[node]
	for _, next := range w.leads[node] {
		c, ok := w.cost(next, known)
		total += c
		if !ok || total > maxWork {
			return 0, false
		}
	}
	known[node] = total
	return total, true
}
