// Package sessions gives sites limited permissions for an account for a limited time.
//
//   - The account signs a delegation (ERC-7710) to the account of a session, which the site's key owns. Its caveats
//     define what the session may do. Contracts enforce them, so the limits hold even if the database is lost or an
//     attacker controls the service.
//   - A session is activated only with a delegation whose caveats are those of its permissions, and permissions that
//     are not wider than requested.
//   - The co-signer is a second owner of that account. It decodes every call, applies the rules that no contract
//     enforces, counts what is spent over all replicas, and refuses from the moment of a revocation. Alone it can do
//     nothing.
//   - The keys of co-signers are encrypted by the key encryption key of the installation, each bound to its session.
//   - Only the account, or the embedded wallet of its user, can list and revoke sessions. A session that was revoked
//     here is shown as revoking until the revocation is on chain.
package sessions
