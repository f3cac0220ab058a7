package picture

import "regexp"

// maxWork bounds the number of elements that are drawn, counting repetitions: nested patterns and uses multiply at each level, so that one
// kilobyte of SVG could block a viewer.
const maxWork = 50_000

// work estimates the cost of drawing an SVG. Its nodes are the elements with an id, and the root, which has the id "".
type work struct {
	// own counts the elements of a node that are not in a nested node.
	own map[string]int
	// draws lists the nodes that a node draws: nested nodes, and referenced ones, once per reference.
	draws map[string][]string
}

func newWork() work { return work{own: map[string]int{}, draws: map[string][]string{}} }

// add counts an element of a node. id is the element's id, or empty.
func (w work) add(node, id string) {
	if id == "" {
		w.own[node]++
		return
	}
	w.own[id]++
	w.draws[node] = append(w.draws[node], id)
}

// refer counts the references in the value of an attribute.
func (w work) refer(node, name, value string) {
	if name == "href" && len(value) > 1 && value[0] == '#' {
		w.draws[node] = append(w.draws[node], value[1:])
		return
	}
	for _, m := range fragments.FindAllStringSubmatch(value, -1) {
		w.draws[node] = append(w.draws[node], m[1])
	}
}

var fragments = regexp.MustCompile(`(?i)url\s*\(\s*["']?\s*#([^"')\s]+)`)

// bounded reports whether the references have no cycle, and the cost is at most [maxWork].
func (w work) bounded() bool {
	_, ok := w.cost("", map[string]int{})
	return ok
}

// cost returns the cost of a node; false if it is too high, or if the node draws itself. known caches costs; -1 marks a node in progress.
func (w work) cost(node string, known map[string]int) (int, bool) {
	if c, ok := known[node]; ok {
		return c, c >= 0
	}
	known[node] = -1
	total := w.own[node]
	for _, next := range w.draws[node] {
		c, ok := w.cost(next, known)
		total += c
		if !ok || total > maxWork {
			return 0, false
		}
	}
	known[node] = total
	return total, true
}
