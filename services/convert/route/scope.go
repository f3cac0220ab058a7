package route

// anyVenue is a scope's venue when there is no restriction.
const anyVenue = -1

// scope is which pools a part of a search may use.
type scope struct {
	venue    int
	excluded map[int]bool
}

func (s *scope) admits(pool int32, venue Venue) bool {
	return (s.venue == anyVenue || s.venue == int(venue)) && (len(s.excluded) == 0 || !s.excluded[int(pool)])
}
