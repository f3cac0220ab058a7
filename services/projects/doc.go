// Package projects knows who may call the suite: which sites, from which pages, how often.
//
// It answers ProjectsService.GetProject, which the gateway asks for every project id it has not seen lately, and tells
// hawser.projects.v1.ProjectChanged whenever a project is created or changed, so that copies are dropped within a second.
// Operators change projects with `hawser project`, which writes to the same database from its own process; the event waits in the
// outbox there until a running service relays it.
package projects
