-- +goose Up
-- Lists for the operator's console, the newest session first: of everybody, of an account on every chain, and of a project.
CREATE INDEX sessions_sessions_listed ON sessions_sessions (created_at, pci);
CREATE INDEX sessions_sessions_listed_account ON sessions_sessions (account, created_at, pci);
CREATE INDEX sessions_sessions_listed_project ON sessions_sessions (project, created_at, pci);

-- +goose Down
DROP INDEX sessions_sessions_listed_project;
DROP INDEX sessions_sessions_listed_account;
DROP INDEX sessions_sessions_listed;
