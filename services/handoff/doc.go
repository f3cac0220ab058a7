// Package handoff connects a page with the browser of a wallet, so that both can agree on a secret key.
//
//   - An id is a one-time address: the first 128 bits of the commitment of its page. It is in a link, which vendors of links may read, so it is no secret: it
//     serves the first key that claims it, for four minutes, and tells the others that they are late.
//   - A project lists the origins that may start a hand-off, so that a page cannot use the name of another site. Programs other than browsers can: they send
//     any Origin header.
//   - The page commits to its key before it learns the other one. The service has the public keys, the commitment and the origin; it never has what
//     the two pages derive from them, and a changed key or origin shows in the digits that both screens show.
//   - A caller starts 60 hand-offs at once and one in a second after that. 10,000 of a project and 50,000 of all projects can wait at a time; the others are
//     refused. Expired ones are deleted every minute.
//   - Only the page that created a hand-off can read its state. The database has the hash of its secret.
package handoff
