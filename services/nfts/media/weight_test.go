package media

import (
	"runtime"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/nfts/metadata"
)

// padding is white space in texts of documents, which is not kept.
var padding = strings.Repeat(" ", maxDocument/16)

func TestACachedDocumentTakesTheMemoryThatItWeighs(t *testing.T) {
	for _, document := range []string{
		`{"name":"a` + padding + `"}`, `{"description":"a` + padding + `"}`, `{"image":"ipfs://a` + padding + `"}`, `{"image_data":"<svg/>` + padding + `"}`,
		`{"attributes":[{"trait_type":"a","value":"b` + padding + `"}]}`,
	} {
		const n = 8
		kept := make([]metadata.Document, n)
		before := heap()
		weight := 0
		for i := range kept {
			d, err := metadata.Parse([]byte(document))
			if err != nil {
				t.Fatal(err)
			}
			kept[i] = d
			weight += int(weigh(&d))
		}
		if took := int(heap()) - int(before); took > weight+n*len(padding)/2 {
			t.Errorf("%d documents like %.20s… take %d bytes and weigh %d", n, document, took, weight)
		}
		runtime.KeepAlive(kept)
	}
}

// heap returns the bytes that are in use.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
