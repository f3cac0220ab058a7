// Package wallet is the server of the embedded wallet: it signs visitors in, keeps their devices signed in, and stores what the frame needs to
// open a wallet.
//
//   - The server cannot open a wallet. It has the encrypted entropy, and for each factor (a device, a passkey, a password) one half of the key;
//     the other half stays with the factor. What it has is sealed by a key that is not in the database (package seal).
//   - Every call is proved by the key of a device, for its path and its body, once (package device). A half is released only with an access
//     token of the same device.
//   - A login by email needs the mailbox, and the approval of a device that is new to the user (package challenge). The link of the mail never
//     signs in the one who opens it.
//   - A refresh token that is used twice ends its session (package session).
//   - Users are known by provider and subject, in one project. Two identities become one user only by the proof of both.
package wallet
