package route

import "fmt"

// venueSet is a set of venues, one bit each.
type venueSet uint64

// allVenues is the set of every venue.
const allVenues = ^venueSet(0)

// maxVenues bounds the venues of a graph.
const maxVenues = 64

func venuesOf(venues ...Venue) (set venueSet) {
	for _, v := range venues {
		set |= 1 << v
	}
	return set
}

func (s venueSet) has(v Venue) bool { return s>>v&1 == 1 }

// checkVenue fails for a venue that does not fit into a set.
func checkVenue(v Venue) error {
	if v >= maxVenues {
		return fmt.Errorf("venue %d is not below %d", v, maxVenues)
	}
	return nil
}

// scope defines which pools a part of a search may use.
type scope struct {
	venues   venueSet
	excluded map[int]bool
}

func (s *scope) admits(pool int32, venue Venue) bool {
	return s.venues.has(venue) && (len(s.excluded) == 0 || !s.excluded[int(pool)])
}
