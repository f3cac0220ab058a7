package directory

import (
	"context"
	"slices"
	"strings"

	"google.golang.org/grpc"

	directoryv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/directory/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/run"
)

// Name is the name of the service in -target and peers.
const Name = "directory"

const (
	defaultEntries = 40
	maxEntries     = 100
	maxPage        = 10_000
	// maxList bounds a list of ids or chains, and maxSearch a search, in bytes.
	maxList   = 32 << 10
	maxSearch = 200
	certified = "certified"
	noBadge   = "none"
)

// New returns the service. It fails if the configured file is not a directory.
func New(_ context.Context, cfg Config) (run.Service, error) {
	wallets, err := Load(cfg.File)
	if err != nil {
		return run.Service{}, err
	}
	return run.Service{
		Name: Name,
		Register: func(s grpc.ServiceRegistrar) {
			directoryv1.RegisterDirectoryServiceServer(s, &server{directory: wallets})
		},
	}, nil
}

type server struct {
	directoryv1.UnimplementedDirectoryServiceServer
	directory Directory
}

// ListWallets returns one page of the wallets that a request selects.
func (s *server) ListWallets(_ context.Context, r *directoryv1.ListWalletsRequest) (*directoryv1.ListWalletsResponse, error) {
	page, entries := max(1, int(r.GetPage())), int(r.GetEntries())
	if entries == 0 {
		entries = defaultEntries
	}
	if page > maxPage || entries > maxEntries {
		return nil, invalid("page", "There are at most %d pages of %d wallets", maxPage, maxEntries)
	}
	q, err := readQuery(r)
	if err != nil {
		return nil, err
	}
	selected, count := s.directory.Select(q, page, entries)
	out := &directoryv1.ListWalletsResponse{Count: uint32(count), Data: make([]*directoryv1.Wallet, len(selected))}
	for i, w := range selected {
		out.Data[i] = toProto(w)
	}
	return out, nil
}

func readQuery(r *directoryv1.ListWalletsRequest) (q Query, err error) {
	if q.Search = strings.TrimSpace(r.GetSearch()); len(q.Search) > maxSearch {
		return q, invalid("search", "The search is over %d bytes", maxSearch)
	}
	for _, list := range []struct {
		name, text string
		into       *[]string
	}{
		{"chains", r.GetChains(), &q.Chains}, {"include", r.GetInclude(), &q.Include}, {"exclude", r.GetExclude(), &q.Exclude},
		{"reach", r.GetReach(), &q.Reach},
	} {
		if len(list.text) > maxList {
			return q, invalid(list.name, "The list is over %d bytes", maxList)
		}
		for item := range strings.SplitSeq(list.text, ",") {
			if item = strings.TrimSpace(item); item != "" {
				*list.into = append(*list.into, item)
			}
		}
	}
	switch badge := r.GetBadgeType(); badge {
	case "":
	case certified, noBadge:
		is := badge == certified
		q.Certified = &is
	default:
		return q, invalid("badge_type", "The badge is neither %s nor %s", certified, noBadge)
	}
	if slices.ContainsFunc(q.Reach, func(way string) bool { return !slices.Contains(ways, way) }) {
		return q, invalid("reach", "The ways to reach a wallet are %s", strings.Join(ways, ", "))
	}
	return q, nil
}

func invalid(field, format string, args ...any) error {
	return request.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, field, format, args...)
}

func toProto(w Listed) *directoryv1.Wallet {
	out := &directoryv1.Wallet{
		Id: w.ID, Name: w.Name, Homepage: w.Homepage, ImageId: w.Key, ImageUrl: w.ImageURL, Order: uint32(w.Order),
		MobileLink: optional(w.Mobile), UniversalLink: optional(w.Universal), DesktopLink: optional(w.Desktop), WebappLink: optional(w.WebApp),
		BrowserLink: optional(w.Browser), BrowserScheme: optional(w.BrowserScheme), AppStore: optional(w.AppStore), PlayStore: optional(w.PlayStore), ChromeStore: optional(w.ChromeStore),
		Rdns: optional(w.RDNS), Chains: w.Chains, Relays: w.Relays,
	}
	if w.Certified {
		out.BadgeType = optional(certified)
	}
	for _, property := range w.Injected {
		out.Injected = append(out.Injected, &directoryv1.Injected{Namespace: "eip155", InjectedId: property})
	}
	return out
}

// optional returns nil for an empty text.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
