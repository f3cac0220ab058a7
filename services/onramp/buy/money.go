package buy

import (
	"regexp"
	"strconv"

	"github.com/shopspring/decimal"
	"google.golang.org/protobuf/types/known/structpb"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/onchain/request"
)

// moneyForm allows fifteen digits, and as many decimal places as a token has.
var moneyForm = regexp.MustCompile(`^[0-9]{1,15}(\.[0-9]{1,18})?$`)

// parseMoney parses a positive amount in whole units.
func parseMoney(field, text string) (decimal.Decimal, error) {
	if !moneyForm.MatchString(text) {
		return decimal.Decimal{}, notMoney(field)
	}
	amount, err := decimal.NewFromString(text)
	if err != nil || !amount.IsPositive() {
		return decimal.Decimal{}, notMoney(field)
	}
	return amount, nil
}

// MoneyText returns an amount as the caller wrote it: a text, or a JSON number in its shortest decimal form.
func MoneyText(v *structpb.Value) string {
	switch kind := v.GetKind().(type) {
	case *structpb.Value_StringValue:
		return kind.StringValue
	case *structpb.Value_NumberValue:
		return strconv.FormatFloat(kind.NumberValue, 'f', -1, 64)
	}
	return ""
}

// ParsePreset parses an optional amount; clients send nothing, null or 0 for none.
func ParsePreset(field string, v *structpb.Value) (*decimal.Decimal, error) {
	_, null := v.GetKind().(*structpb.Value_NullValue)
	if text := MoneyText(v); v == nil || null || text == "0" {
		return nil, nil
	}
	amount, err := parseMoney(field, MoneyText(v))
	return &amount, err
}

func notMoney(field string) error {
	return request.Invalid(faultv1.Reason_REASON_AMOUNT_INVALID, field, "Invalid parameter: `%s` must be a positive decimal amount, such as 100.00", field)
}
