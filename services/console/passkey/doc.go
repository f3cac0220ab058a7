// Package passkey signs operators in by passkeys (WebAuthn, level 3) and stores these.
//
//   - A passkey names its operator and verifies its user, by a PIN or biometrics. It works at the origin of the console only.
//   - A challenge is answered once and within two minutes. One to add a passkey is bound to the session that asked for it.
//   - An authenticator that counts its signatures has to count on: a passkey whose counter stays or goes back may have been copied, and is refused.
//   - Attestations are not asked for: operators choose their authenticators.
package passkey
