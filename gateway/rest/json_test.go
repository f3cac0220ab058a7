package rest

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
)

// sameAsProtojson compares the writer's output with protojson's, as JSON values.
func sameAsProtojson(t *testing.T, m proto.Message) {
	t.Helper()
	got, err := (&restJSON{}).Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	want, err := protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var g, w any
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(g, w) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAnswersAreWrittenAsProtojsonWritesThem(t *testing.T) {
	for name, m := range map[string]proto.Message{
		"nothing set":      &balancesv1.GetBalanceResponse{},
		"optional unset":   &balancesv1.Balance{Name: "Ether", Price: 3000.5, Quantity: &balancesv1.Quantity{Decimals: "18", Numeric: "0.1"}},
		"optional empty":   &balancesv1.Balance{Address: proto.String(""), Value: proto.Float64(0)},
		"nested lists":     &balancesv1.GetBalanceResponse{Balances: []*balancesv1.Balance{{}, {Symbol: "A"}}},
		"unusual text":     &balancesv1.Balance{Name: "a\"b\\c\n\t\x00\u2028<&>é😀", Symbol: "\x7f"},
		"large and small":  &balancesv1.ListPricesResponse{Fungibles: []*balancesv1.Fungible{{Price: 1e21}, {Price: 1e-7}, {Price: math.MaxFloat64}, {Price: 5e-324}, {Price: math.Copysign(0, -1)}}},
		"no numbers":       &balancesv1.ListPricesResponse{Fungibles: []*balancesv1.Fungible{{Price: math.NaN()}, {Price: math.Inf(1)}, {Price: math.Inf(-1)}}},
		"64 bits and more": &chainsv1.Head{Number: math.MaxUint64, Timestamp: math.MinInt64},
		"bytes":            &chainsv1.ForwardResponse{Body: []byte{0, 255, 254}},
		"a struct":         &structpb.Struct{Fields: map[string]*structpb.Value{"b": structpb.NewNumberValue(1), "a": structpb.NewNullValue()}},
		"a time":           timestamppb.New(timestamppb.Now().AsTime()),
		"a wrapper":        wrapperspb.Int64(7),
		"enums and more":   proto.CloneOf((&balancesv1.Balance{}).ProtoReflect().Descriptor().ParentFile().Options().(*descriptorpb.FileOptions)),
	} {
		t.Run(name, func(t *testing.T) { sameAsProtojson(t, m) })
	}
}

func TestANullableFieldIsWrittenAsNull(t *testing.T) {
	got, err := (&restJSON{}).Marshal(&activityv1.GetHistoryResponse{})
	if want := `{"data":[],"next":null}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestTextThatIsNoTextIsAnError(t *testing.T) {
	if b, err := (&restJSON{}).Marshal(&balancesv1.Balance{Name: "\xff"}); err == nil {
		t.Errorf("wrote %s", b)
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add("Ether", 1.5, true)
	f.Add("\u2028\"", -1e-9, false)
	f.Fuzz(func(t *testing.T, text string, number float64, set bool) {
		m := &balancesv1.Balance{Name: text, Price: number, Quantity: &balancesv1.Quantity{Numeric: text}}
		if set {
			m.Address, m.Value = &text, &number
		}
		if _, err := protojson.Marshal(m); err != nil {
			return
		}
		sameAsProtojson(t, m)
	})
}

func BenchmarkAnswer(b *testing.B) {
	m := &balancesv1.GetBalanceResponse{}
	for range 8 {
		m.Balances = append(m.Balances, &balancesv1.Balance{
			Name: "Test USD", Symbol: "tUSD", ChainId: "eip155:31337", Address: proto.String("eip155:31337:0xb5E33423B80B5004edB41278BC8639513C70316c"),
			Value: proto.Float64(1000000.5), Price: 1.0001, Quantity: &balancesv1.Quantity{Decimals: "6", Numeric: "1000000.500000"},
		})
	}
	b.Run("ours", func(b *testing.B) {
		j := &restJSON{}
		for b.Loop() {
			_, _ = j.Marshal(m)
		}
	})
	b.Run("protojson", func(b *testing.B) {
		for b.Loop() {
			_, _ = protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(m)
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		for b.Loop() {
			_, _ = json.Marshal(m)
		}
	})
}
