package names

import "context"

// maxSuggestions bounds an answer.
const maxSuggestions = 5

// endings make a name that is taken into others, the likeliest first.
var endings = []string{"-eth", "pay", "-dao", "xyz", "-io", "hub", "-one", "101", "-web3", "247"}

// Suggestion is a name that might be registered.
type Suggestion struct {
	Name Name
	// Taken says that somebody has it.
	Taken bool
	// Available says that it can be registered now.
	Available bool
}

// Suggest says whether a label is free in a zone, the first one where none is named, and which ones like it are. It fails with [NameError].
func (r *Registry) Suggest(ctx context.Context, label, zone string) ([]Suggestion, error) {
	if zone == "" {
		zone = r.zones[0]
	}
	if !labelForm.MatchString(label) {
		return nil, &NameError{label, ErrFormat}
	}
	wanted, err := r.zones.Parse(label + "." + zone)
	if err != nil {
		return nil, &NameError{label + "." + zone, err}
	}
	candidates := []Name{wanted}
	for _, ending := range endings {
		if name, ok := r.registrable(label + ending + "." + zone); ok {
			candidates = append(candidates, name)
		}
	}
	taken, err := r.store.Registered(ctx, candidates)
	if err != nil {
		return nil, err
	}
	_, possible := r.registrable(string(wanted))
	suggestions := []Suggestion{{wanted, taken[wanted], possible && !taken[wanted]}}
	for _, name := range candidates[1:] {
		if !taken[name] && len(suggestions) < maxSuggestions {
			suggestions = append(suggestions, Suggestion{Name: name, Available: true})
		}
	}
	return suggestions, nil
}

// registrable reports whether the rules allow a name.
func (r *Registry) registrable(text string) (Name, bool) {
	name, err := r.zones.ParseNew(text)
	return name, err == nil && !r.reserved.Holds(name)
}
