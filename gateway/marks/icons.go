package marks

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/gateway/rest"
	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	directoryv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/directory/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	updatesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const (
	// AssetsPath is the path of the icons of networks, tokens, wallets and sellers.
	AssetsPath = "/v1/assets/"
	// WalletImagePath is the path of the icons of wallets, by image_id, as clients of AppKit's API call it.
	WalletImagePath = "/getWalletImage/{id}"
	// markLifetime is the max-age of an icon, after which callers revalidate its ETag.
	markLifetime = 7 * 24 * time.Hour
	// noMarkLifetime is the max-age of a 404: a later version may have the icon.
	noMarkLifetime = 24 * time.Hour
	// operationBuy is the operation type of purchases, whose tokens have no address.
	operationBuy = "buy"
)

// Assets serves the icons below [AssetsPath]. They are not rate-limited: counting costs more than serving.
func (s *Set) Assets() http.Handler {
	mux := http.NewServeMux()
	serve := func(pattern string, find func(r *http.Request, name string) *Mark) {
		mux.HandleFunc("GET "+AssetsPath+pattern+"/{file}", func(w http.ResponseWriter, r *http.Request) {
			name, isSVG := strings.CutSuffix(r.PathValue("file"), ".svg")
			if !isSVG {
				name = ""
			}
			writeMark(w, r, find(r, name))
		})
	}
	serve("networks", func(_ *http.Request, chainID string) *Mark { return s.Network(chainID) })
	serve("tokens/{chain}", func(r *http.Request, address string) *Mark { return s.Token(r.PathValue("chain"), address) })
	serve("wallets", func(_ *http.Request, key string) *Mark { return s.Wallet(key) })
	serve("sellers", func(_ *http.Request, name string) *Mark { return s.Seller(name) })
	mux.Handle("/", access.NotFound())
	return rest.Harmless(mux)
}

// WalletImages serves the icons of wallets by image_id, at [WalletImagePath].
func (s *Set) WalletImages() http.Handler {
	return rest.Harmless(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		writeMark(w, r, s.Wallet(r.PathValue("id")))
	}))
}

// writeMark answers with the icon, with 304 when the request has its ETag, or with 404 when the icon is nil.
func writeMark(w http.ResponseWriter, r *http.Request, m *Mark) {
	if m == nil {
		access.WriteFaultStatus(lasting{w}, r, fault.New(codes.NotFound, faultv1.Reason_REASON_MEDIA_UNAVAILABLE, "", "There is no such picture"), http.StatusNotFound)
		return
	}
	w.Header().Set("Cache-Control", rest.PublicFor(markLifetime))
	w.Header().Set("ETag", m.ETag)
	if rest.MatchesETag(r.Header.Get("If-None-Match"), m.ETag) {
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
	l.Header().Set("Cache-Control", rest.PublicFor(noMarkLifetime))
	l.ResponseWriter.WriteHeader(status)
}

// Fill sets the empty icon fields of a response to the absolute URLs of the icons that this gateway serves. Messages without icons stay unchanged.
func (s *Set) Fill(ctx context.Context, answer any) {
	base, ok := access.RequestBaseOf(ctx)
	if !ok {
		return
	}
	switch m := answer.(type) {
	case *balancesv1.GetBalanceResponse:
		s.fillBalances(base, m.GetBalances())
	case *directoryv1.ListWalletsResponse:
		for _, w := range m.GetData() {
			if w.GetImageUrl() == "" && s.Wallet(w.GetImageId()) != nil {
				w.ImageUrl = base.URL() + AssetsPath + "wallets/" + w.GetImageId() + ".svg"
			}
		}
	case *updatesv1.WatchAccountResponse:
		s.fillBalances(base, m.GetBalances().GetBalances())
	case *balancesv1.ListPricesResponse:
		for _, f := range m.GetFungibles() {
			f.IconUrl = cmp.Or(f.GetIconUrl(), s.url(base, f.GetAddress()))
		}
	case *convertv1.ListTokensResponse:
		for _, t := range m.GetTokens() {
			if url := cmp.Or(t.GetLogoUri(), s.url(base, t.GetAddress())); url != "" {
				t.LogoUri = &url
			}
		}
	case *activityv1.GetHistoryResponse:
		for _, t := range m.GetData() {
			s.fillTransaction(base, t)
		}
	}
}

func (s *Set) fillBalances(base access.RequestBase, list []*balancesv1.Balance) {
	for _, b := range list {
		b.IconUrl = cmp.Or(b.GetIconUrl(), s.url(base, cmp.Or(b.GetAddress(), nativeOf(b.GetChainId()))))
	}
}

func (s *Set) fillTransaction(base access.RequestBase, t *activityv1.Transaction) {
	m := t.GetMetadata()
	if a := m.GetApplication(); a != nil {
		a.IconUrl = cmp.Or(a.GetIconUrl(), s.url(base, m.GetChain()+":"+m.GetSentTo()))
	}
	for _, transfer := range t.GetTransfers() {
		f := transfer.GetFungibleInfo()
		if f == nil || m.GetOperationType() == operationBuy {
			continue
		}
		if url := cmp.Or(f.GetIcon().GetUrl(), s.url(base, cmp.Or(f.GetAddress(), nativeOf(m.GetChain())))); url != "" {
			f.Icon = &activityv1.Icon{Url: url}
		}
	}
}

// url returns the URL of the icon of a token by its CAIP-10 id, or an empty string.
func (s *Set) url(base access.RequestBase, id string) string {
	end := strings.LastIndexByte(id, ':')
	if end < 0 {
		return ""
	}
	path := s.TokenPath(id[:end], id[end+1:])
	if path == "" {
		return ""
	}
	return base.URL() + path
}

// nativeOf returns the id of a chain's native currency in the form of CAIP-10.
func nativeOf(chainID string) string { return chainID + ":" + Native }
