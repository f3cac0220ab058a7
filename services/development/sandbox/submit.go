package sandbox

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/development/sandbox/page"
	"github.com/hawser-dev/hawser/services/development/sandbox/seller"
	"github.com/hawser-dev/hawser/services/development/sandbox/sqlstore"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// Actions of the forms: the last segment of their paths.
const (
	ActionChoose  = "choose"
	ActionCard    = "card"
	ActionBank    = "bank"
	ActionPay     = "pay"
	ActionConfirm = "confirm"
	ActionRefuse  = "refuse"
	ActionCancel  = "cancel"
)

// Show returns the HTML page of a checkout. Its forms are sent to its own path, followed by a slash and an action. It
// fails with [sqlstore.ErrUnknown].
func (s *Sandbox) Show(ctx context.Context, id string) ([]byte, error) {
	c, of, err := s.find(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.page(ctx, of, c, nil, nil)
}

// Submit handles a form. It returns a page with the form's mistakes, or nil if the form was accepted: then the browser is redirected to the
// checkout. A form that is sent again after it was accepted changes nothing. It fails with [sqlstore.ErrUnknown].
func (s *Sandbox) Submit(ctx context.Context, id, action string, fields map[string]string) ([]byte, error) {
	c, of, err := s.find(ctx, id)
	if err != nil {
		return nil, err
	}
	wrong, err := s.take(ctx, of, c, action, fields)
	if err != nil {
		return nil, err
	}
	if len(wrong) == 0 {
		notify(s.wake)
		return nil, nil
	}
	return s.page(ctx, of, c, fields, wrong)
}

func (s *Sandbox) find(ctx context.Context, id string) (checkout.Checkout, *seller.Seller, error) {
	if !s.enabled() {
		return checkout.Checkout{}, nil, sqlstore.ErrUnknown
	}
	c, err := s.store.Find(ctx, id)
	if err != nil {
		return checkout.Checkout{}, nil, err
	}
	of, ok := s.seller(c.Seller)
	if !ok {
		return checkout.Checkout{}, nil, sqlstore.ErrUnknown
	}
	return c, of, nil
}

func (s *Sandbox) page(ctx context.Context, of *seller.Seller, c checkout.Checkout, fields map[string]string, wrong checkout.Mistakes) ([]byte, error) {
	var sold []checkout.Asset
	if c.Stage == checkout.Choosing {
		var err error
		if sold, err = s.market.Assets(ctx); err != nil {
			return nil, err
		}
	}
	return page.Render(page.View{
		Path: PagePath + c.ID, Seller: of.Title, Mark: of.Mark(), Checkout: c, Sold: sold, Filled: fields, Wrong: wrong,
	})
}

// take performs the action of a form if the stage of the checkout allows it.
func (s *Sandbox) take(ctx context.Context, of *seller.Seller, c checkout.Checkout, action string, fields map[string]string) (checkout.Mistakes, error) {
	now := s.clock.Now()
	switch action {
	case ActionCancel:
		return nil, s.updateAt(ctx, c, func(c *checkout.Checkout) []ramp.Event { return c.Cancel(now) }, checkout.Choosing, checkout.Paying, checkout.Confirming)
	case ActionChoose:
		return s.choose(ctx, of, c, fields)
	case ActionCard, ActionBank:
		return s.switchTo(ctx, c, map[string]string{ActionCard: checkout.MethodCard, ActionBank: checkout.MethodBank}[action])
	case ActionPay:
		read := func() (checkout.Scenario, string, checkout.Mistakes) { return checkout.ReadCard(fields, now) }
		if c.Method == checkout.MethodBank {
			read = func() (checkout.Scenario, string, checkout.Mistakes) { return checkout.ReadAccount(fields) }
		}
		if c.Stage != checkout.Paying || c.IsLate(now) {
			return nil, nil
		}
		plays, paidBy, wrong := read()
		if len(wrong) > 0 {
			return wrong, nil
		}
		return nil, s.updateAt(ctx, c, func(c *checkout.Checkout) []ramp.Event { return c.Authorize(plays, paidBy, now) }, checkout.Paying)
	case ActionConfirm:
		return s.confirm(ctx, c, fields[checkout.FieldCode])
	case ActionRefuse:
		return nil, s.updateAt(ctx, c, func(c *checkout.Checkout) []ramp.Event {
			return c.Fail(ramp.PaymentUnapproved, "The bank did not approve the payment.", now)
		}, checkout.Confirming)
	}
	return nil, nil
}

// updateAt changes a checkout if it is in one of the stages and has not expired. Otherwise another request was faster,
// and the checkout is not changed.
func (s *Sandbox) updateAt(ctx context.Context, c checkout.Checkout, change func(c *checkout.Checkout) []ramp.Event, stages ...checkout.Stage) error {
	_, err := s.store.Update(ctx, c.ID, func(_ sqlstore.Tx, c *checkout.Checkout) ([]ramp.Event, error) {
		for _, here := range stages {
			if c.Stage == here && !c.IsLate(s.clock.Now()) {
				return change(c), nil
			}
		}
		return nil, nil
	})
	return err
}

// confirm checks the confirmation code. Too many wrong ones fail the payment.
func (s *Sandbox) confirm(ctx context.Context, c checkout.Checkout, code string) (checkout.Mistakes, error) {
	now := s.clock.Now()
	right, over := strings.TrimSpace(code) == checkout.ConfirmationCode, false
	if c.Stage != checkout.Confirming {
		return nil, nil
	}
	err := s.updateAt(ctx, c, func(c *checkout.Checkout) []ramp.Event {
		if right {
			return c.Confirm(now)
		}
		c.WrongCodes++
		if over = c.WrongCodes >= checkout.CodesAllowed; over {
			return c.Fail(ramp.CodeWrong, "The code was wrong too often.", now)
		}
		return nil
	}, checkout.Confirming)
	if err != nil || right || over {
		return nil, err
	}
	return checkout.Mistakes{checkout.FieldCode: "This is not the code: it is " + checkout.ConfirmationCode + "."}, nil
}

// switchTo changes the payment method, if the order does not fix it and the amount is within the method's limits.
func (s *Sandbox) switchTo(ctx context.Context, c checkout.Checkout, method string) (checkout.Mistakes, error) {
	if !c.AnyMethod || c.Stage != checkout.Paying {
		return nil, nil
	}
	if err := checkout.CheckAmount(c.Terms.Payment(), method); err != nil {
		return checkout.Mistakes{checkout.WholeForm: sentence(err)}, nil
	}
	return nil, s.updateAt(ctx, c, func(c *checkout.Checkout) []ramp.Event { c.Method = method; return nil }, checkout.Paying)
}

// choose sets what is bought.
func (s *Sandbox) choose(ctx context.Context, of *seller.Seller, c checkout.Checkout, fields map[string]string) (checkout.Mistakes, error) {
	if c.Stage != checkout.Choosing {
		return nil, nil
	}
	chosen := c
	chosen.ChainID, chosen.Symbol, _ = strings.Cut(fields[checkout.FieldToken], "/")
	chosen.Method = fields[checkout.FieldMethod]
	requested := checkout.Asset{Symbol: chosen.Symbol, ChainID: chosen.ChainID}
	if chosen.Symbol == "" || !c.Matches(requested) {
		return checkout.Mistakes{checkout.FieldToken: "Choose a token."}, nil
	}
	amount, err := readMoney(fields[checkout.FieldAmount])
	if err != nil {
		return checkout.Mistakes{checkout.FieldAmount: "Enter an amount, such as 100.00."}, nil
	}
	chosen.Pay = &ramp.Amount{Value: amount, Currency: fields[checkout.FieldFiat]}
	err = of.Settle(ctx, &chosen, nil)
	limit := &ramp.LimitError{}
	switch {
	case errors.As(err, &limit):
		return checkout.Mistakes{checkout.FieldAmount: sentence(limit)}, nil
	case errors.Is(err, ramp.ErrUnsupported):
		return checkout.Mistakes{checkout.FieldToken: "This token cannot be bought for this amount now."}, nil
	case err != nil:
		return nil, err
	}
	return nil, s.updateAt(ctx, c, func(c *checkout.Checkout) []ramp.Event { *c = chosen; return nil }, checkout.Choosing)
}

var errMoney = errors.New("not an amount of money")

// readMoney parses an amount with at most two decimal places, after a full stop or a comma.
func readMoney(text string) (decimal.Decimal, error) {
	text = strings.Replace(strings.TrimSpace(text), ",", ".", 1)
	if len(text) > 12 || strings.Trim(text, "0123456789.") != "" {
		return decimal.Decimal{}, errMoney
	}
	value, err := decimal.NewFromString(text)
	if err != nil || !value.Equal(value.Truncate(checkout.Cents)) {
		return decimal.Decimal{}, errMoney
	}
	return value, nil
}

// sentence formats an error as a sentence.
func sentence(err error) string {
	text := fmt.Sprint(err)
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
