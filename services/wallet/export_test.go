package wallet

import "context"

// Expire does what the service does every minute.
func (s *Server) Expire(ctx context.Context) error { return s.expire(ctx) }
