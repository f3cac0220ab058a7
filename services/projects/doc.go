// Package projects stores the projects that may call the suite, with their allowed origins and rate limits.
//
// It serves ProjectsService.GetProject, which the gateway calls for project ids that it has not cached, and publishes
// hawser.projects.v1.ProjectChanged for every project that is created, changed or deleted, so that caches drop it within a second.
// ProjectAdminService is for the operator's console.
// Operators change projects with `hawser project`, which writes to the same database from its own process; the event stays in the
// outbox until a running service publishes it.
package projects
