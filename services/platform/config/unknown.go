package config

import (
	"slices"
	"strings"
)

// farthestName is how many letters a variable may differ from a setting's to be taken for a typing error.
const farthestName = 3

// unknownVariables returns a fault for each variable that has the prefix of settings but names none: it would have no effect. texts are those in which a
// variable may be used as ${NAME}.
func unknownVariables(opts Options, all []setting, texts []string) (faults Faults) {
	known := make([]string, 0, len(all)+1)
	for _, s := range all {
		known = append(known, s.environment(opts.Prefix))
	}
	known = append(known, opts.Prefix+envFile)
	for _, name := range slices.Sorted(slices.Values(opts.Variables)) {
		uses := func(text string) bool { return strings.Contains(text, "${"+name+"}") }
		if !strings.HasPrefix(name, opts.Prefix) || slices.Contains(known, name) || slices.ContainsFunc(texts, uses) {
			continue
		}
		text := "there is no setting of this name"
		nearest := slices.MinFunc(known, func(a, b string) int { return distance(name, a) - distance(name, b) })
		if distance(name, nearest) <= farthestName {
			text += "; the nearest is " + nearest
		}
		faults = append(faults, Fault{Where: name, Text: text})
	}
	return faults
}

// distance returns how many letters have to be added, removed or replaced to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
