package meld

import (
	"cmp"
	"context"
	"regexp"
	"time"
)

// sellerForm matches Meld's names of sellers.
var sellerForm = regexp.MustCompile(`^[A-Z0-9_]{2,64}$`)

// resellTimeout bounds [Meld.Resells].
const resellTimeout = 5 * time.Second

// Resells reports whether the key may use a seller, and returns its display name.
func (m *Meld) Resells(ctx context.Context, seller string) (title string, ok bool) {
	if !sellerForm.MatchString(seller) {
		return "", false
	}
	ctx, cancel := context.WithTimeout(ctx, resellTimeout)
	defer cancel()
	names, err := m.known(ctx)
	if err != nil {
		return "", false
	}
	title, ok = names[seller]
	return title, ok
}

// known returns the display names of all sellers, by Meld's names.
func (m *Meld) known(ctx context.Context) (map[string]string, error) {
	return m.names.Get(ctx, "", func(ctx context.Context) (map[string]string, error) {
		var all []struct {
			ServiceProvider string `json:"serviceProvider"`
			Name            string `json:"name"`
		}
		if err := m.api.Get(ctx, serviceProviders, narrowed(), &all); err != nil {
			return nil, err
		}
		names := map[string]string{}
		for _, s := range all {
			names[s.ServiceProvider] = cmp.Or(s.Name, s.ServiceProvider)
		}
		return names, nil
	})
}

// title returns the display name of a seller; Meld's name if it has none.
func (m *Meld) title(ctx context.Context, seller string) string {
	names, err := m.known(ctx)
	if err != nil {
		return seller
	}
	return cmp.Or(names[seller], seller)
}
