package onramp

import (
	"regexp"
	"strconv"

	"github.com/shopspring/decimal"
	"google.golang.org/protobuf/types/known/structpb"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
)

// moneyForm bounds what people pay: fifteen digits, and as many places as a token has.
var moneyForm = regexp.MustCompile(`^[0-9]{1,15}(\.[0-9]{1,18})?$`)

// readMoney reads a positive amount in whole units.
func readMoney(field, text string) (decimal.Decimal, error) {
	if !moneyForm.MatchString(text) {
		return decimal.Decimal{}, notMoney(field)
	}
	amount, err := decimal.NewFromString(text)
	if err != nil || !amount.IsPositive() {
		return decimal.Decimal{}, notMoney(field)
	}
	return amount, nil
}

// moneyText is how a caller spelled an amount: as text, or as a number of JSON, whose shortest spelling is what was typed.
func moneyText(v *structpb.Value) string {
	switch kind := v.GetKind().(type) {
	case *structpb.Value_StringValue:
		return kind.StringValue
	case *structpb.Value_NumberValue:
		return strconv.FormatFloat(kind.NumberValue, 'f', -1, 64)
	}
	return ""
}

// readPreset reads an amount that may be left to the visitor: clients send nothing, null or 0 for that.
func readPreset(field string, v *structpb.Value) (*decimal.Decimal, error) {
	_, null := v.GetKind().(*structpb.Value_NullValue)
	if text := moneyText(v); v == nil || null || text == "0" {
		return nil, nil
	}
	amount, err := readMoney(field, moneyText(v))
	return &amount, err
}

func notMoney(field string) error {
	return apiparse.Invalid(faultv1.Reason_REASON_AMOUNT_INVALID, field, "Invalid parameter: `%s` must be a positive decimal amount, such as 100.00", field)
}
