package gateway

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/hawser-dev/hawser/gateway/marks"
	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	updatesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const (
	// assetsPath is where the marks of networks, tokens and sellers are.
	assetsPath = "/v1/assets/"
	// markLifetime is how long callers may keep a mark. After that they ask whether it still holds.
	markLifetime = 7 * 24 * time.Hour
	// noMarkLifetime is how long a 404 may be cached: a later version may have the mark.
	noMarkLifetime = 24 * time.Hour
	// operationBuy is the operation of purchases, whose tokens are named without an address.
	operationBuy = "buy"
)

// assets serves the marks that are part of the binary. They count against no budget: counting costs more than they do.
func assets(set *marks.Set) http.Handler {
	mux := http.NewServeMux()
	serve := func(pattern string, find func(r *http.Request, name string) *marks.Mark) {
		mux.HandleFunc("GET "+assetsPath+pattern+"/{file}", func(w http.ResponseWriter, r *http.Request) {
			name, isSVG := strings.CutSuffix(r.PathValue("file"), ".svg")
			if !isSVG {
				name = ""
			}
			writeMark(w, r, find(r, name))
		})
	}
	serve("networks", func(_ *http.Request, chainID string) *marks.Mark { return set.Network(chainID) })
	serve("tokens/{chain}", func(r *http.Request, address string) *marks.Mark { return set.Token(r.PathValue("chain"), address) })
	serve("sellers", func(_ *http.Request, name string) *marks.Mark { return set.Seller(name) })
	mux.Handle("/", notFound())
	return harmless(markLifetime, mux)
}

// writeMark answers with mark, with 304 where the caller's copy is current, or with 404 where mark is nil.
func writeMark(w http.ResponseWriter, r *http.Request, m *marks.Mark) {
	if m == nil {
		writeFaultStatus(lasting{w}, r, fault.New(codes.NotFound, faultv1.Reason_REASON_MEDIA_UNAVAILABLE, "", "There is no such picture"), http.StatusNotFound)
		return
	}
	w.Header().Set("ETag", m.ETag)
	if matchesETag(r.Header.Get("If-None-Match"), m.ETag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	_, _ = w.Write(m.SVG)
}

// lasting lets callers keep a refusal: a mark that is missing stays missing until the next version.
type lasting struct{ http.ResponseWriter }

// WriteHeader sends the status, and how long the answer holds.
func (l lasting) WriteHeader(status int) {
	l.Header().Set("Cache-Control", publicFor(noMarkLifetime))
	l.ResponseWriter.WriteHeader(status)
}

// icons gives tokens without an icon of their own the mark that this gateway serves.
type icons struct{ set *marks.Set }

// fill sets what is empty among the icons of an answer, as URLs that the caller of ctx can load. Other messages stay as they are.
func (i *icons) fill(ctx context.Context, answer any) {
	base, ok := requestBaseOf(ctx)
	if !ok {
		return
	}
	switch m := answer.(type) {
	case *balancesv1.GetBalanceResponse:
		i.fillBalances(base, m.GetBalances())
	case *updatesv1.WatchAccountResponse:
		i.fillBalances(base, m.GetBalances().GetBalances())
	case *balancesv1.ListPricesResponse:
		for _, f := range m.GetFungibles() {
			f.IconUrl = cmp.Or(f.GetIconUrl(), i.url(base, f.GetAddress()))
		}
	case *convertv1.ListTokensResponse:
		for _, t := range m.GetTokens() {
			if url := cmp.Or(t.GetLogoUri(), i.url(base, t.GetAddress())); url != "" {
				t.LogoUri = &url
			}
		}
	case *activityv1.GetHistoryResponse:
		for _, t := range m.GetData() {
			i.fillTransaction(base, t)
		}
	}
}

func (i *icons) fillBalances(base requestBase, list []*balancesv1.Balance) {
	for _, b := range list {
		b.IconUrl = cmp.Or(b.GetIconUrl(), i.url(base, cmp.Or(b.GetAddress(), nativeOf(b.GetChainId()))))
	}
}

func (i *icons) fillTransaction(base requestBase, t *activityv1.Transaction) {
	m := t.GetMetadata()
	if a := m.GetApplication(); a != nil {
		a.IconUrl = cmp.Or(a.GetIconUrl(), i.url(base, m.GetChain()+":"+m.GetSentTo()))
	}
	for _, transfer := range t.GetTransfers() {
		f := transfer.GetFungibleInfo()
		if f == nil || m.GetOperationType() == operationBuy {
			continue
		}
		if url := cmp.Or(f.GetIcon().GetUrl(), i.url(base, cmp.Or(f.GetAddress(), nativeOf(m.GetChain())))); url != "" {
			f.Icon = &activityv1.Icon{Url: url}
		}
	}
}

// url is where the caller loads the mark of a token, which a CAIP-10 id names; empty when it has none.
func (i *icons) url(base requestBase, id string) string {
	end := strings.LastIndexByte(id, ':')
	if end < 0 {
		return ""
	}
	path := i.set.TokenPath(id[:end], id[end+1:])
	if path == "" {
		return ""
	}
	return base.url() + path
}

// nativeOf names the native currency of a chain in the form of a CAIP-10 id.
func nativeOf(chainID string) string { return chainID + ":" + marks.Native }
