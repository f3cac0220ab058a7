package mail

import (
	"context"
	"errors"
	"net/textproto"
	"slices"

	gomail "github.com/wneessen/go-mail"

	"github.com/hawser-dev/hawser/services/platform/upstream"
)

const (
	// firstPermanent is the lowest reply of SMTP that says that a repetition would fail too (RFC 5321, 4.2.1). Those from 400 are transient.
	firstPermanent = 500
	// authenticationRequired is the reply to a command that needs a login (RFC 4954, 6).
	authenticationRequired = 530
)

// ofTheMail are the steps at which a server refuses one mail, for its recipient or what it says, and may take the next one.
var ofTheMail = []gomail.SendErrReason{gomail.ErrSMTPRcptTo, gomail.ErrSMTPData, gomail.ErrWriteContent, gomail.ErrSMTPDataClose}

// outcomeOf returns what became of the sending of a mail: refused if the server does not take this one, denied if it does not take the login or the sender,
// failed if it is to be asked later.
func outcomeOf(ctx context.Context, err error) upstream.Outcome {
	code, mailRefused := reply(err)
	switch {
	case code == 0:
		// The library leaves out why a connection broke.
		if err != nil {
			err = errors.Join(err, ctx.Err())
		}
		return upstream.OutcomeOf(0, err)
	case code < firstPermanent:
		return upstream.Failed
	case mailRefused && code != authenticationRequired:
		return upstream.Refused
	default:
		return upstream.Denied
	}
}

// reply returns the code with which the server refused, 0 if it did not reply, and whether it refused the mail itself.
func reply(err error) (code int, mailRefused bool) {
	if refused, ok := errors.AsType[*gomail.SendError](err); ok {
		return refused.ErrorCode(), slices.Contains(ofTheMail, refused.Reason)
	}
	if refused, ok := errors.AsType[*textproto.Error](err); ok {
		return refused.Code, false
	}
	return 0, false
}
