// Package webhooks sends events of a site to its backend, signed by Standard Webhooks.
//
//   - An event is stored for each endpoint that gets it before the bus counts it as handled: nothing is lost while the service or an endpoint is down. The bus keeps
//     events for three days.
//   - Delivery is at least once, with the same webhook-id in every attempt. Attempts are repeated with growing pauses for three days.
//   - Webhooks of one account are sent one after another, each after the one before it was accepted or given up (package deliveries).
//   - An endpoint that hangs delays no other project: attempts have deadlines, and share slots by project, host and endpoint (package dispatch).
//   - What waits for a project is bounded, and so is the part of one account. What has no room is dropped and counted.
//   - Only public addresses are called, except hosts that the operator names; redirects are not followed.
//   - Transactions that a site names are followed until they are final (package transactions). What a webhook says of them is the chain's.
//   - Secrets are encrypted by the key encryption key of the installation, each bound to its endpoint, and are shown once. No webhook has an email or a secret.
package webhooks
