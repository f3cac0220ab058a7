package endpoint

import (
	"slices"
	"sync"

	"github.com/hawser-dev/hawser/services/relay/socket"
)

// silentConnections is how many connections of one client may have sent nothing. SDKs have one for each page; some open thousands while the relay is away,
// forget those that succeed later, and would have no place left for the one that they use.
const silentConnections = 64

// silent has the connections of each client that have sent nothing yet, the oldest first.
type silent struct {
	mu       sync.Mutex
	byClient map[string][]*peer
}

// add adds a connection of a client, and ends the oldest if there are too many.
func (s *silent) add(p *peer) {
	if oldest := s.addAndTake(p); oldest != nil {
		oldest.conn.Close(socket.StatusGoingAway, "too many connections that send nothing")
	}
}

func (s *silent) addAndTake(p *peer) (oldest *peer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byClient == nil {
		s.byClient = map[string][]*peer{}
	}
	s.byClient[p.session.Name] = append(s.byClient[p.session.Name], p)
	list := s.byClient[p.session.Name]
	if len(list) > silentConnections {
		oldest = list[0]
		s.byClient[p.session.Name] = slices.Delete(list, 0, 1)
	}
	return oldest
}

// remove removes a connection that has sent something, or has ended.
func (s *silent) remove(p *peer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.byClient[p.session.Name]
	if i := slices.Index(list, p); i >= 0 {
		list = slices.Delete(list, i, i+1)
	}
	if len(list) == 0 {
		delete(s.byClient, p.session.Name)
	} else {
		s.byClient[p.session.Name] = list
	}
}
