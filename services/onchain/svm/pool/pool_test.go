package pool

import (
	"slices"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/svm"
)

var (
	usdc = svm.MustAddress("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	orca = svm.MustAddress("2LecshUwdy9xi7meFgHtFJQNSKk4KdTrcpvaB56dP2NQ")
)

func TestCandidatesAreThePoolsOfTheNetwork(t *testing.T) {
	for want, e := range map[string]Exchange{
		"HJPjoWUrhoZzkNfRpHuieeFk9WcZWjwy6PBjZ81ngndJ": {Program: Whirlpool, Root: orca, Configs: []uint16{64}},
		"Czfq3xZZDmsdGdUyrNLtRhGc47cXcZtLG4crryfu44zE": {Program: Whirlpool, Root: orca, Configs: []uint16{4}},
		"3ucNos4NbumPLZNWztqGHNFFgkHeRMBQAVemeeomsUxv": {Program: RaydiumCLMM, Configs: []uint16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
		"8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj": {Program: RaydiumCLMM, Configs: []uint16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
		"7JuwJuNU88gurFnyWeiyGKbFmExMWcmRZntn9imEzdny": {Program: RaydiumCPMM, Configs: []uint16{0, 1, 2, 3, 4, 5, 6, 7, 8}},
	} {
		for _, list := range [][]svm.Address{e.Candidates(usdc, svm.WrappedSOL), e.Candidates(svm.WrappedSOL, usdc)} {
			i := slices.Index(list, svm.MustAddress(want))
			t.Log(want, i)
			if i < 0 {
				t.Errorf("%s is not in %v", want, list)
			}
		}
	}
}
