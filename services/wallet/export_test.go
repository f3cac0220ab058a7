package wallet

import "context"

// Expire does what the service does every minute.
func (s *Server) Expire(ctx context.Context) error { return s.expire(ctx) }

// ServeInbox receives the mails of a development installation until ctx ends.
func (s *Server) ServeInbox(ctx context.Context) error { return s.dev.Inbox.Serve(ctx) }
