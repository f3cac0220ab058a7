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
	// firstPermanent is the lowest SMTP reply code for which a retry would fail too (RFC 5321, 4.2.1). Codes from 400
	// are transient.
	firstPermanent = 500
	// authenticationRequired is the reply to a command that requires authentication (RFC 4954, 6).
	authenticationRequired = 530
)

// ofTheMail are the steps at which a server refuses a single mail, for its recipient or its content, and may accept the
// next mail.
var ofTheMail = []gomail.SendErrReason{gomail.ErrSMTPRcptTo, gomail.ErrSMTPData, gomail.ErrWriteContent, gomail.ErrSMTPDataClose}

// outcomeOf returns the outcome of sending a mail: refused if the server does not accept this mail, denied if it does
// not accept the login or the sender, and failed if a retry may succeed.
func outcomeOf(ctx context.Context, err error) upstream.Outcome {
	code, mailRefused := reply(err)
	switch {
	case code == 0:
		// The library's error omits why a connection was lost.
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

// reply returns the reply code with which the server refused, or 0 if it did not reply, and whether it refused the mail
// itself.
func reply(err error) (code int, mailRefused bool) {
	if refused, ok := errors.AsType[*gomail.SendError](err); ok {
		return refused.ErrorCode(), slices.Contains(ofTheMail, refused.Reason)
	}
	if refused, ok := errors.AsType[*textproto.Error](err); ok {
		return refused.Code, false
	}
	return 0, false
}
