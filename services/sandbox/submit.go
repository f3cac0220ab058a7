package sandbox

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/ramp"
)

// What a form may ask for: what its path ends with.
const (
	ActionChoose  = "choose"
	ActionCard    = "card"
	ActionBank    = "bank"
	ActionPay     = "pay"
	ActionConfirm = "confirm"
	ActionRefuse  = "refuse"
	ActionCancel  = "cancel"
)

// Show returns the page of a checkout as it stands: HTML without scripts, whose forms are sent to its own path, a slash
// and an action. It fails with [ErrUnknown].
func (s *Sandbox) Show(ctx context.Context, id string) ([]byte, error) {
	c, of, err := s.find(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.page(ctx, of, c, nil, nil)
}

// Submit takes what a visitor filled in. It returns the page that says what is wrong with it, or nil when it was taken: then the browser is sent
// to the checkout's own page. What was taken once is not taken again. It fails with [ErrUnknown].
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
		hurry(s.wake)
		return nil, nil
	}
	return s.page(ctx, of, c, fields, wrong)
}

func (s *Sandbox) find(ctx context.Context, id string) (checkout, *seller, error) {
	if !s.on() {
		return checkout{}, nil, ErrUnknown
	}
	c, err := s.book.find(ctx, id)
	if err != nil {
		return checkout{}, nil, err
	}
	of, ok := s.named(c.Seller)
	if !ok {
		return checkout{}, nil, ErrUnknown
	}
	return c, of, nil
}

func (s *Sandbox) page(ctx context.Context, of *seller, c checkout, fields map[string]string, wrong mistakes) ([]byte, error) {
	var sold []asset
	if c.Stage == choosing {
		var err error
		if sold, err = s.market.assets(ctx); err != nil {
			return nil, err
		}
	}
	return render(view{
		Path: PagePath + c.ID, Seller: of.Title, Mark: of.mark(), Checkout: c, Name: s.nameOf(ctx, c.receiver()),
		Sold: sold, Filled: fields, Wrong: wrong,
	})
}

// take does what the form asks for, where the checkout is still at the form's place.
func (s *Sandbox) take(ctx context.Context, of *seller, c checkout, action string, fields map[string]string) (mistakes, error) {
	now := s.clock.Now()
	switch action {
	case ActionCancel:
		return nil, s.at(ctx, c, func(c *checkout) []ramp.Event { return c.cancel(now) }, choosing, paying, confirming)
	case ActionChoose:
		return s.choose(ctx, of, c, fields)
	case ActionCard, ActionBank:
		return s.switchTo(ctx, c, map[string]string{ActionCard: methodCard, ActionBank: methodBank}[action])
	case ActionPay:
		read := func() (plot, string, mistakes) { return readCard(fields, now) }
		if c.Method == methodBank {
			read = func() (plot, string, mistakes) { return readAccount(fields) }
		}
		if c.Stage != paying || c.isLate(now) {
			return nil, nil
		}
		plays, paidBy, wrong := read()
		if len(wrong) > 0 {
			return wrong, nil
		}
		return nil, s.at(ctx, c, func(c *checkout) []ramp.Event { return c.begin(plays, paidBy, now) }, paying)
	case ActionConfirm:
		return s.confirm(ctx, c, fields[fieldCode])
	case ActionRefuse:
		return nil, s.at(ctx, c, func(c *checkout) []ramp.Event { return c.fail("The bank did not approve the payment.", now) }, confirming)
	}
	return nil, nil
}

// at changes a checkout that is at one of the stages, in time; another is left as it is, for then somebody was faster.
func (s *Sandbox) at(ctx context.Context, c checkout, change func(c *checkout) []ramp.Event, stages ...stage) error {
	_, err := s.book.change(ctx, c.ID, func(_ txn, c *checkout) ([]ramp.Event, error) {
		for _, here := range stages {
			if c.Stage == here && !c.isLate(s.clock.Now()) {
				return change(c), nil
			}
		}
		return nil, nil
	})
	return err
}

// confirm compares the code; the last wrong one fails the payment.
func (s *Sandbox) confirm(ctx context.Context, c checkout, code string) (mistakes, error) {
	now := s.clock.Now()
	right, over := strings.TrimSpace(code) == confirmationCode, false
	if c.Stage != confirming {
		return nil, nil
	}
	err := s.at(ctx, c, func(c *checkout) []ramp.Event {
		if right {
			return c.confirm(now)
		}
		c.WrongCodes++
		if over = c.WrongCodes >= codesAllowed; over {
			return c.fail("The code was wrong too often.", now)
		}
		return nil
	}, confirming)
	if err != nil || right || over {
		return nil, err
	}
	return mistakes{fieldCode: "This is not the code: it is " + confirmationCode + "."}, nil
}

// switchTo changes how one pays, where the order leaves it open and the amount can be paid so.
func (s *Sandbox) switchTo(ctx context.Context, c checkout, method string) (mistakes, error) {
	if !c.AnyMethod || c.Stage != paying {
		return nil, nil
	}
	if err := checkAmount(c.Terms.payment(), method); err != nil {
		return mistakes{wholeForm: sentence(err)}, nil
	}
	return nil, s.at(ctx, c, func(c *checkout) []ramp.Event { c.Method = method; return nil }, paying)
}

// choose fixes what is bought.
func (s *Sandbox) choose(ctx context.Context, of *seller, c checkout, fields map[string]string) (mistakes, error) {
	if c.Stage != choosing {
		return nil, nil
	}
	chosen := c
	chosen.ChainID, chosen.Symbol, _ = strings.Cut(fields[fieldToken], "/")
	chosen.Method = fields[fieldMethod]
	asked := asset{Symbol: chosen.Symbol, ChainID: chosen.ChainID}
	if chosen.Symbol == "" || !c.wants(asked) {
		return mistakes{fieldToken: "Choose a token."}, nil
	}
	amount, err := readMoney(fields[fieldAmount])
	if err != nil {
		return mistakes{fieldAmount: "Enter an amount, such as 100.00."}, nil
	}
	chosen.Pay = &ramp.Amount{Value: amount, Currency: fields[fieldFiat]}
	err = of.settle(ctx, &chosen, nil)
	limit := &ramp.LimitError{}
	switch {
	case errors.As(err, &limit):
		return mistakes{fieldAmount: sentence(limit)}, nil
	case errors.Is(err, ramp.ErrUnsupported):
		return mistakes{fieldToken: "This token cannot be bought for this amount now."}, nil
	case err != nil:
		return nil, err
	}
	return nil, s.at(ctx, c, func(c *checkout) []ramp.Event { *c = chosen; return nil }, choosing)
}

var errMoney = errors.New("not an amount of money")

// readMoney takes digits with at most two decimal places, after a full stop or a comma.
func readMoney(text string) (decimal.Decimal, error) {
	text = strings.Replace(strings.TrimSpace(text), ",", ".", 1)
	if len(text) > 12 || strings.Trim(text, "0123456789.") != "" {
		return decimal.Decimal{}, errMoney
	}
	value, err := decimal.NewFromString(text)
	if err != nil || !value.Equal(value.Truncate(cents)) {
		return decimal.Decimal{}, errMoney
	}
	return value, nil
}

// sentence writes an error for people.
func sentence(err error) string {
	text := fmt.Sprint(err)
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
