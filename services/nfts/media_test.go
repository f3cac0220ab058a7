package nfts

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	grpcmetadata "google.golang.org/grpc/metadata"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	"github.com/hawser-dev/hawser/services/nfts/metadata"
	"github.com/hawser-dev/hawser/services/platform/cachecontrol"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func (w world) show(tb testing.TB, n *nftsv1.Nft) (mediaType, picture string) {
	tb.Helper()
	res, err := w.GetMedia(tb.Context(), &nftsv1.GetMediaRequest{Id: n.GetMediaId()})
	if err != nil {
		tb.Fatalf("%s: %v", n.GetName(), err)
	}
	return res.GetContentType(), string(res.GetData())
}

func TestPicturesStoredOnChainAreShown(t *testing.T) {
	w := serve(t)
	anchors := collection(t, w.list(t, 0), "ANCHOR")
	if kind, drawing := w.show(t, token(t, anchors, "1")); kind != "image/svg+xml" || !strings.Contains(drawing, `<linearGradient id="sea"`) {
		t.Errorf("the drawing: got %s %s", kind, drawing)
	}
	if kind, pixels := w.show(t, token(t, anchors, "2")); kind != "image/png" || !strings.HasPrefix(pixels, "\x89PNG") {
		t.Errorf("the pixels: got %s", kind)
	}
}

func TestHostileSVGIsShownSanitized(t *testing.T) {
	w := serve(t)
	kind, drawing := w.show(t, token(t, collection(t, w.list(t, 0), "ANCHOR"), "5"))
	if kind != "image/svg+xml" || !strings.Contains(drawing, `<circle cx="32" cy="32" r="16" fill="#fff">`) {
		t.Fatalf("what draws is lost: %s %s", kind, drawing)
	}
	for _, bad := range []string{"script", "onload", "onerror", "foreignObject", "javascript", "elsewhere.invalid", "<a", "@import", "ran"} {
		if strings.Contains(drawing, bad) {
			t.Errorf("%s is left in %s", bad, drawing)
		}
	}
}

func TestOnlyReferencedPicturesAreFetched(t *testing.T) {
	w, other := serve(t), serve(t)
	id := token(t, collection(t, w.list(t, 0), "ANCHOR"), "1").GetMediaId()
	raw, err := base64.RawURLEncoding.DecodeString(id)
	if err != nil {
		t.Fatal(err)
	}
	var forged []string
	for i := range raw {
		changed := []byte(string(raw))
		changed[i] ^= 1
		forged = append(forged, base64.RawURLEncoding.EncodeToString(changed))
	}
	foreign := token(t, collection(t, other.list(t, 0), "ANCHOR"), "1").GetMediaId()
	forged = append(forged, "", "x", "https://elsewhere.invalid/a.png", id[:len(id)-2], id+"AA", id+"=", id+"\n", foreign, strings.Repeat("A", 512))
	before := w.nodes.requests.Load()
	for _, f := range forged {
		_, err := w.GetMedia(t.Context(), &nftsv1.GetMediaRequest{Id: f})
		if got := fault.From(err); got.Code != codes.NotFound || got.Reason != faultv1.Reason_REASON_MEDIA_UNAVAILABLE {
			t.Errorf("%q: got %v", f, err)
		}
	}
	if n := w.nodes.requests.Load() - before; n != 0 {
		t.Errorf("forged references had the nodes asked %d times", n)
	}
}

// TestReplicasShareTheReferenceKey starts two replicas on one database: the key is created once.
func TestReplicasShareTheReferenceKey(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		one, two := serveOn(t, db), serveOn(t, db)
		listed := token(t, collection(t, one.list(t, 0), "ANCHOR"), "2")
		if again := token(t, collection(t, two.list(t, 0), "ANCHOR"), "2"); again.GetMediaId() != listed.GetMediaId() {
			t.Errorf("two replicas name one picture %s and %s", listed.GetMediaId(), again.GetMediaId())
		}
		three := serveOn(t, db)
		if kind, _ := three.show(t, listed); kind != "image/png" {
			t.Errorf("got %s", kind)
		}
	})
}

// TestStalePictureIsNotKept requests a reference to newer metadata than that of this replica.
func TestStalePictureIsNotKept(t *testing.T) {
	w := serve(t)
	var channel run.Local
	nftsv1.RegisterMediaServiceServer(&channel, w.server)
	client := nftsv1.NewMediaServiceClient(&channel)
	listed := token(t, collection(t, w.list(t, 0), "ANCHOR"), "2")
	named, err := w.references.Token(listed.GetMediaId())
	if err != nil {
		t.Fatal(err)
	}
	for reference, want := range map[string]time.Duration{
		listed.GetMediaId(): mediaLifetime,
		w.references.Reference(named, &metadata.Document{Picture: "ipfs://elsewhere/2.png"}): 0,
	} {
		var header grpcmetadata.MD
		if _, err := client.GetMedia(t.Context(), &nftsv1.GetMediaRequest{Id: reference}, grpc.Header(&header)); err != nil {
			t.Fatal(err)
		}
		if got := cachecontrol.FromHeader(header).MaxAge; got != want {
			t.Errorf("%s may be kept for %s, want %s", reference, got, want)
		}
	}
}

func TestUnreachableChainIsNotErrNoPicture(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	w := serveOn(t, db)
	listed := token(t, collection(t, w.list(t, 0), "ANCHOR"), "2")
	late := serveOn(t, db)
	late.nodes.down.Store(true)
	_, err := late.GetMedia(t.Context(), &nftsv1.GetMediaRequest{Id: listed.GetMediaId()})
	if got := fault.From(err); got.Code != codes.Unavailable {
		t.Errorf("got %v, want unavailable: the picture is there", err)
	}
	late.nodes.down.Store(false)
	if kind, _ := late.show(t, listed); kind != "image/png" {
		t.Errorf("got %s", kind)
	}
}
