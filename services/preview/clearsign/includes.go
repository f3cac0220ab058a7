package clearsign

import (
	"io/fs"
	"path"
	"slices"
)

// maxIncludes bounds how deeply files include others.
const maxIncludes = 4

// withIncludes returns a file with what it includes: members of its own replace those that it includes.
func (l *loader) withIncludes(root *node, depth int) (*node, error) {
	n := root.member("includes")
	if err := n.expect(textNode); n == nil || err != nil {
		return root, err
	}
	if depth >= maxIncludes {
		return nil, n.fault("includes are nested deeper than %d", maxIncludes)
	}
	file := path.Join(path.Dir(root.key), n.text)
	if !fs.ValidPath(file) {
		return nil, n.fault("it is no file in the folder of the descriptors; nothing is fetched from an address")
	}
	included, err := l.tree(file)
	if err != nil {
		return nil, n.fault("%w", err)
	}
	if included, err = l.withIncludes(included, depth+1); err != nil {
		return nil, err
	}
	merged := merge(included, root)
	merged.key = root.key
	return merged, nil
}

// merge returns an object with the members of two, where those of the second come first. Lists of fields are merged by their paths.
func merge(base, over *node) *node {
	if base == nil || over == nil || base.kind != over.kind {
		return over
	}
	switch {
	case over.kind == objectNode:
		merged := *over
		merged.members = slices.Clone(base.members)
		for _, m := range over.members {
			i := slices.IndexFunc(merged.members, func(k *node) bool { return k.key == m.key })
			if i < 0 {
				merged.members = append(merged.members, m)
			} else {
				merged.members[i] = merge(merged.members[i], m)
			}
		}
		return &merged
	case over.kind == listNode && over.key == "fields":
		merged := *over
		merged.items = slices.Clone(base.items)
		for _, item := range over.items {
			at := item.member("path")
			i := slices.IndexFunc(merged.items, func(k *node) bool { return at != nil && k.member("path") != nil && k.member("path").text == at.text })
			if i < 0 {
				merged.items = append(merged.items, item)
			} else {
				merged.items[i] = merge(merged.items[i], item)
			}
		}
		return &merged
	}
	return over
}
