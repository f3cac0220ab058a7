package preview

import (
	"strconv"

	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	"github.com/hawser-dev/hawser/services/preview/clearsign"
	"github.com/hawser-dev/hawser/services/preview/effect"
)

// descriptionProto returns a description in the form of the API. asset returns a token with its facts.
func descriptionProto(d clearsign.Description, asset func(effect.Asset) *previewv1.Asset) *previewv1.Description {
	p := &previewv1.Description{Intent: d.Intent, Owner: d.Owner, ContractName: d.Contract, Source: previewv1.DescriptionSource_DESCRIPTION_SOURCE_OPERATOR}
	if d.IsBundled {
		p.Source = previewv1.DescriptionSource_DESCRIPTION_SOURCE_BUNDLED
	}
	for _, part := range d.Sentence {
		if part.Row < 0 {
			p.Sentence = append(p.Sentence, &previewv1.DescriptionPart{Part: &previewv1.DescriptionPart_Text{Text: part.Text}})
		} else {
			p.Sentence = append(p.Sentence, &previewv1.DescriptionPart{Part: &previewv1.DescriptionPart_Row{Row: uint32(part.Row)}}) //nolint:gosec // an index of a short list
		}
	}
	for _, row := range d.Rows {
		p.Rows = append(p.Rows, rowProto(row, asset))
	}
	return p
}

func rowProto(row clearsign.Row, asset func(effect.Asset) *previewv1.Asset) *previewv1.DescriptionRow {
	p := &previewv1.DescriptionRow{
		Label: row.Label, Kind: previewv1.ValueKind(row.Kind), Unlimited: row.IsOver, Message: row.Message, //nolint:gosec // its values are those of the API
		Decimals: uint32(row.Decimals), Unit: row.Unit, //nolint:gosec // at most 77
	}
	switch row.Kind {
	case clearsign.Text, clearsign.Bytes:
		p.Value = row.Text
	case clearsign.Flag:
		p.Value = strconv.FormatBool(row.Number.Sign() > 0)
	case clearsign.Address:
		p.Value = row.Address.Hex()
	case clearsign.Called:
		p.Value = row.Address.Hex()
		if row.Inner != nil {
			p.Inner = descriptionProto(*row.Inner, asset)
		}
	case clearsign.Collectible, clearsign.Token:
		p.Asset = asset(row.Asset)
	default:
		p.Value = row.Number.String()
	}
	if row.Kind == clearsign.Amount {
		p.Asset = asset(row.Asset)
	}
	return p
}
