package registry

import "context"

// maxSuggestions bounds the suggestions.
const maxSuggestions = 5

// endings are appended to a registered name, the best first.
var endings = []string{"-eth", "pay", "-dao", "xyz", "-io", "hub", "-one", "101", "-web3", "247"}

// Suggestion is a name that may be registered.
type Suggestion struct {
	Name Name
	// Taken means that it is registered.
	Taken bool
	// Available means that it can be registered now.
	Available bool
}

// Suggest returns whether a label is free in a zone, by default the first one, and similar labels that are free. It
// fails with [NameError].
func (r *Registry) Suggest(ctx context.Context, label, zone string) ([]Suggestion, error) {
	if zone == "" {
		zone = r.Zones[0]
	}
	if !labelForm.MatchString(label) {
		return nil, &NameError{label, ErrFormat}
	}
	wanted, err := r.Zones.Parse(label + "." + zone)
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
	blocked, err := r.blocked(ctx, candidates)
	if err != nil {
		return nil, err
	}
	_, possible := r.registrable(string(wanted))
	suggestions := []Suggestion{{wanted, taken[wanted], possible && !taken[wanted] && !blocked[wanted]}}
	for _, name := range candidates[1:] {
		if !taken[name] && !blocked[name] && len(suggestions) < maxSuggestions {
			suggestions = append(suggestions, Suggestion{Name: name, Available: true})
		}
	}
	return suggestions, nil
}

// registrable reports whether a name may be registered.
func (r *Registry) registrable(text string) (Name, bool) {
	name, err := r.Zones.ParseNew(text)
	return name, err == nil && !r.reserved.Holds(name)
}
