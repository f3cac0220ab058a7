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
	directoryv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/directory/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	updatesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const (
	// assetsPath is the path of the icons of networks, tokens, wallets and sellers.
	assetsPath = "/v1/assets/"
	// walletImagePath is the path of the icons of wallets, by image_id, as clients of AppKit's API call it.
	walletImagePath = "/getWalletImage/{id}"
	// markLifetime is the max-age of an icon, after which callers revalidate its ETag.
	markLifetime = 7 * 24 * time.Hour
	// noMarkLifetime is the max-age of a 404: a later version may have the icon.
	noMarkLifetime = 24 * time.Hour
	// operationBuy is the operation type of purchases, whose tokens have no address.
	operationBuy = "buy"
)

// assets serves the embedded icons. They are not rate-limited: counting costs more than serving.
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
	serve("wallets", func(_ *http.Request, key string) *marks.Mark { return set.Wallet(key) })
	serve("sellers", func(_ *http.Request, name string) *marks.Mark { return set.Seller(name) })
	mux.Handle("/", notFound())
	return harmless(mux)
}

// walletImages serves the icons of wallets by image_id.
func walletImages(set *marks.Set) http.Handler {
	return harmless(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		writeMark(w, r, set.Wallet(r.PathValue("id")))
	}))
}

// writeMark answers with the icon, with 304 when the request has its ETag, or with 404 when the icon is nil.
func writeMark(w http.ResponseWriter, r *http.Request, m *marks.Mark) {
	if m == nil {
		writeFaultStatus(lasting{w}, r, fault.New(codes.NotFound, faultv1.Reason_REASON_MEDIA_UNAVAILABLE, "", "There is no such picture"), http.StatusNotFound)
		return
	}
	w.Header().Set("Cache-Control", publicFor(markLifetime))
	w.Header().Set("ETag", m.ETag)
	if matchesETag(r.Header.Get("If-None-Match"), m.ETag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	_, _ = w.Write(m.SVG)
}

// lasting adds a max-age to a 404.
type lasting struct{ http.ResponseWriter }

// WriteHeader sends the status with the max-age.
func (l lasting) WriteHeader(status int) {
	l.Header().Set("Cache-Control", publicFor(noMarkLifetime))
	l.ResponseWriter.WriteHeader(status)
}

// icons fills in the URLs of the icons that this gateway serves, for tokens without an icon.
type icons struct{ set *marks.Set }

// fill sets the empty icon fields of a response to absolute URLs. Messages without icons stay unchanged.
func (i *icons) fill(ctx context.Context, answer any) {
	base, ok := requestBaseOf(ctx)
	if !ok {
		return
	}
	switch m := answer.(type) {
	case *balancesv1.GetBalanceResponse:
		i.fillBalances(base, m.GetBalances())
	case *directoryv1.ListWalletsResponse:
		for _, w := range m.GetData() {
			if w.GetImageUrl() == "" && i.set.Wallet(w.GetImageId()) != nil {
				w.ImageUrl = base.url() + assetsPath + "wallets/" + w.GetImageId() + ".svg"
			}
		}
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

// url returns the URL of the icon of a token by its CAIP-10 id, or an empty string.
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

// nativeOf returns the id of a chain's native currency in the form of CAIP-10.
func nativeOf(chainID string) string { return chainID + ":" + marks.Native }
