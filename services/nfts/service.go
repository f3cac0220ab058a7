package nfts

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"time"

	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	"github.com/hawser-dev/hawser/services/nfts/asset"
	"github.com/hawser-dev/hawser/services/nfts/media"
	"github.com/hawser-dev/hawser/services/nfts/metadata"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/cachecontrol"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Name is the name of the service in -target and peers.
const Name = "nfts"

// mediaLifetime is how long callers may keep the picture of a token: a changed picture has a different reference.
const mediaLifetime = 24 * time.Hour

// Deps are the dependencies of the service.
type Deps struct {
	Chain    *chainclient.Client
	Holdings activityv1.HoldingsServiceClient
	// DB stores the key that signs references to pictures.
	DB *store.DB
	// Memory bounds the bytes that the process holds for callers; nil is no limit.
	Memory *limit.Memory
}

// New returns the service. It creates the table that does not exist.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	fetcher := fetch.New(fetch.Options{Hosts: cfg.hosts(), AllowPrivate: cfg.AllowPrivate})
	s, err := open(ctx, cfg, deps, fetcher)
	if err != nil {
		return run.Service{}, err
	}
	return run.Service{
		Name: Name,
		Register: func(r grpc.ServiceRegistrar) {
			nftsv1.RegisterNftsServiceServer(r, s)
			nftsv1.RegisterMediaServiceServer(r, s)
			nftsv1.RegisterPictureServiceServer(r, s)
		},
		Work: func(ctx context.Context) error {
			<-ctx.Done()
			fetcher.Close()
			return nil
		},
		Ready: deps.DB.Ready,
	}, nil
}

// server implements hawser.nfts.v1.NftsService, MediaService and PictureService.
type server struct {
	nftsv1.UnimplementedNftsServiceServer
	nftsv1.UnimplementedMediaServiceServer
	nftsv1.UnimplementedPictureServiceServer
	lister     *lister
	pictures   *media.Pictures
	avatars    *media.Avatars
	references referenceSigner
}

func open(ctx context.Context, cfg Config, deps Deps, fetcher media.Fetcher) (*server, error) {
	key, err := openKey(ctx, deps.DB, rand.Reader)
	if err != nil {
		return nil, err
	}
	reader := nodeReader{evm.NewReader(deps.Chain.Transport), deps.Chain}
	documents := media.NewMetadata(reader, fetcher, media.Gateways{
		Gateways: metadata.Gateways{IPFS: cfg.IPFSGateway, Arweave: cfg.ArweaveGateway},
		Own:      cfg.OwnGateways,
	}, deps.Memory)
	pictures := media.NewPictures(documents)
	return &server{
		lister: &lister{
			networks: deps.Chain, holdings: historyIndex{deps.Holdings}, reader: reader, metadata: documents,
			timeout: cfg.Timeout, patience: cfg.Patience,
		},
		pictures:   pictures,
		avatars:    media.NewAvatars(deps.Chain, reader, pictures, cfg.Timeout),
		references: referenceSigner{key},
	}, nil
}

// ListNfts lists what one account owns on one chain.
func (s *server) ListNfts(ctx context.Context, r *nftsv1.ListNftsRequest) (*nftsv1.ListNftsResponse, error) {
	chainID, owner, err := parseRequest(r)
	if err != nil {
		return nil, err
	}
	list, err := s.lister.List(ctx, chainID, owner)
	if err != nil {
		return nil, explain(err)
	}
	res := &nftsv1.ListNftsResponse{Backfilling: list.Backfilling, Truncated: list.Truncated, Describing: list.Describing}
	for _, c := range list.Collections {
		res.Collections = append(res.Collections, s.collection(c))
	}
	return res, nil
}

// GetMedia returns one picture.
func (s *server) GetMedia(ctx context.Context, r *nftsv1.GetMediaRequest) (*httpbody.HttpBody, error) {
	token, err := s.references.Token(r.GetId())
	if err != nil {
		return nil, explain(err)
	}
	p, document, err := s.pictures.Show(ctx, token)
	if err != nil {
		return nil, explain(err)
	}
	// Another replica may have listed newer metadata, with another picture.
	if s.references.Reference(token, document) == r.GetId() {
		cachecontrol.Set(ctx, cachecontrol.Policy{MaxAge: mediaLifetime})
	}
	return &httpbody.HttpBody{ContentType: p.MediaType, Data: p.Bytes}, nil
}

// ShowPicture returns a picture that an account chose.
func (s *server) ShowPicture(ctx context.Context, r *nftsv1.ShowPictureRequest) (*nftsv1.ShowPictureResponse, error) {
	owner, err := request.Address("owner", r.GetOwner())
	if err != nil {
		return nil, err
	}
	p, err := s.avatars.Show(ctx, r.GetUri(), owner)
	if err != nil {
		return nil, explain(err)
	}
	return &nftsv1.ShowPictureResponse{MediaType: p.MediaType, Data: p.Bytes}, nil
}

func (s *server) collection(c Collection) *nftsv1.Collection {
	out := &nftsv1.Collection{
		Address:  c.Contract.ChainID + ":" + c.Contract.Address.String(),
		Name:     c.Name,
		Symbol:   c.Symbol,
		Standard: string(c.Contract.Standard),
		Owned:    uint32(c.Owned),
	}
	if c.Hidden != "" {
		out.Hidden = &c.Hidden
	}
	for _, p := range c.Items {
		out.Nfts = append(out.Nfts, s.nft(c, p))
	}
	return out
}

func (s *server) nft(c Collection, p Item) *nftsv1.Nft {
	document := cmp.Or(p.Metadata, &metadata.Document{})
	out := &nftsv1.Nft{
		TokenId:      p.Token.ID.String(),
		Quantity:     p.Quantity.String(),
		Name:         cmp.Or(document.Name, nameOf(c, p.Token)),
		Description:  document.Description,
		MediaId:      s.references.Reference(p.Token, p.Metadata),
		MetadataRead: p.Metadata != nil,
	}
	for _, t := range document.Traits {
		out.Traits = append(out.Traits, &nftsv1.Trait{Name: t.Name, Value: t.Value})
	}
	return out
}

// nameOf returns the name of a token without metadata.
func nameOf(c Collection, t asset.Token) string {
	if c.Name == "" {
		return "#" + t.ID.String()
	}
	return c.Name + " #" + t.ID.String()
}

// explain converts an error to the fault for the caller.
func explain(err error) error {
	unknown, isUnknown := errors.AsType[*UnknownChainError](err)
	switch {
	case isUnknown:
		return request.UnsupportedChain(unknown.ID)
	case errors.Is(err, ErrReference), errors.Is(err, media.ErrNoPicture):
		return fault.New(codes.NotFound, faultv1.Reason_REASON_MEDIA_UNAVAILABLE, "id", "There is no such picture").Because(err)
	case errors.Is(err, context.Canceled):
		return fault.From(context.Canceled)
	case errors.Is(err, media.ErrUnavailable):
		return fault.New(codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "chainId", "The chain is temporarily unavailable").Because(err)
	default:
		return fault.From(err)
	}
}

// parseRequest returns the chain and the account of a request.
func parseRequest(r *nftsv1.ListNftsRequest) (chainID string, owner evm.Address, err error) {
	if r.GetChainId() == "" {
		return "", owner, request.Missing("chainId")
	}
	if chainID, err = request.Chain("chainId", r.GetChainId()); err != nil {
		return "", owner, err
	}
	owner, err = request.Address("address", r.GetAddress())
	return chainID, owner, err
}
