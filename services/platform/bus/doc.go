// Package bus carries events between services over NATS JetStream: a server inside this process by default, a cluster by URL.
//
// An event is a proto message. It is published on the subject of its full name (hawser.projects.v1.ProjectChanged on
// `hawser.projects.v1.project_changed`) as protobuf, with CloudEvents attributes and the trace context in its headers, through one
// bounded stream per service. Delivery is at least once: a handler must be harmless when called twice.
//
// JetStream is the transport, the database is the record. A service that changes state hands the event to an [Outbox] in the
// same transaction; publishing directly is for events that may be lost with the process, such as a new block.
package bus
