// Package wallet is the server of the embedded wallet: it authenticates visitors, manages the sessions of their
// devices, and stores the data that the frame needs to open a wallet.
//
//   - The server cannot open a wallet. It has the encrypted entropy, and for each factor (a device, a passkey, a
//     password) one half of the key; the other half stays with the factor. Its data is sealed by a key that is not in
//     the database (package seal).
//   - Every call is proved by the key of a device, for its path and its body, once (package device). A half is returned
//     only for an access token of the same device.
//   - A login by email needs the mailbox, and the approval of a device that is new to the user (package challenge). The
//     link in the mail never signs in the browser that opens it.
//   - A second use of a refresh token ends its session (package session).
//   - Changes of how a user signs in, and of what opens the wallet, need the signature of the opened wallet or a login of
//     the last five minutes. The user's emails are informed, and every device lists the changes (package notice).
//   - The half of a password is released for a value that is derived from the password, and wrong ones are counted.
//   - The contacts of a wallet are encrypted by a key that only the opened wallet has (package contacts).
//   - Users are identified by provider and subject, in one project. Two identities are linked to one user only if both
//     are proven.
package wallet
