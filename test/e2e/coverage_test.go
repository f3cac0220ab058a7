package e2e

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// answeredBy names the tests, of this package or of the service, that cover an outcome which no case file can: its request is signed, or contains part of
// an earlier answer.
var answeredBy = map[string]string{
	"hawser.auth.v1.AuthService/CreateNonce ok":                    "TestSignIn",
	"hawser.auth.v1.AuthService/Authenticate ok":                   "TestSignIn",
	"hawser.auth.v1.AuthService/GetSession ok":                     "TestSignIn",
	"hawser.auth.v1.AuthService/SignOut ok":                        "TestSignIn",
	"hawser.bundler.v1.CallsService/SendCalls ok":                  "TestCallsAreSentAndFoundByTheirID",
	"hawser.bundler.v1.CallsService/GetCalls ok":                   "TestCallsAreSentAndFoundByTheirID",
	"hawser.bundler.v1.CallsService/RemoveDelegation ok":           "TestADelegationIsEndedAtTheCostOfTheOperator",
	"hawser.handoff.v1.HandoffService/CreateHandoff ok":            "TestAHandoffIntroducesAPageToAWallet",
	"hawser.handoff.v1.HandoffService/GetHandoff ok":               "TestAHandoffIntroducesAPageToAWallet",
	"hawser.handoff.v1.HandoffService/ClaimHandoff ok":             "TestAHandoffIntroducesAPageToAWallet",
	"hawser.names.v1.NamesService/RegisterName ok":                 "TestTheLifeOfAName",
	"hawser.names.v1.NamesService/GetName ok":                      "TestTheLifeOfAName",
	"hawser.names.v1.NamesService/ListNames ok":                    "TestTheLifeOfAName",
	"hawser.names.v1.NamesService/SetAttributes ok":                "TestTheLifeOfAName",
	"hawser.names.v1.NamesService/SetAddress ok":                   "TestTheLifeOfAName",
	"hawser.names.v1.NamesService/ReleaseName ok":                  "TestTheLifeOfAName",
	"hawser.names.v1.NamesService/TransferName ok":                 "TestTheLifeOfAName",
	"hawser.names.v1.NamesService/GetAvatar ok":                    "TestAnAccountLooksLikeTheNFTItOwns",
	"hawser.nfts.v1.NftsService/ListNfts ok":                       "TestNFTsAreListedAndShown",
	"hawser.nfts.v1.MediaService/GetMedia ok":                      "TestNFTsAreListedAndShown",
	"hawser.onramp.v1.OnrampService/GetOrder ok":                   "TestAPurchaseEndsAsItsCardSays",
	"hawser.convert.v1.ConvertService/GetPermit ok":                "TestASwapWithAPermitNeedsNoApproval",
	"hawser.sessions.v1.SmartSessionsService/CreateSession ok":     "TestASessionIsGrantedUsedAndRevoked",
	"hawser.sessions.v1.SmartSessionsService/GetContext ok":        "TestASessionIsGrantedUsedAndRevoked",
	"hawser.sessions.v1.SmartSessionsService/ActivateSession ok":   "TestASessionIsGrantedUsedAndRevoked",
	"hawser.sessions.v1.SmartSessionsService/SignUserOperation ok": "TestASessionIsGrantedUsedAndRevoked",
	"hawser.sessions.v1.SmartSessionsService/RevokeSession ok":     "TestASessionIsGrantedUsedAndRevoked",
	"hawser.sessions.v1.SmartSessionsService/RevokeAllSessions ok": "TestASessionIsGrantedUsedAndRevoked",
}

// restOnly are procedures that no RPC protocol offers, by their REST path.
var restOnly = map[string]string{"GET /v1/profile/installation": "hawser.names.v1.NamesService/GetInstallation"}

// refusesNothing are procedures that everyone may call, and that ignore their request.
var refusesNothing = []string{
	"hawser.chains.v1.ChainsService/ListSupportedChains", "hawser.chains.v1.ChainsService/ListNetworks", "hawser.names.v1.NamesService/GetInstallation",
	"hawser.wallet.v1.KeyService/ListKeys", "hawser.features.v1.FeaturesService/GetFeatures",
}

// TestEveryProcedureIsAnsweredAndRefusedInSomeCase checks that the case files cover all procedures that have a REST form.
func TestEveryProcedureIsAnsweredAndRefusedInSomeCase(t *testing.T) {
	shown := map[string]bool{}
	for _, c := range rawCases(t) {
		outcome := "refusal"
		if c["status"] == "200" {
			outcome = "ok"
		}
		shown[cmp.Or(c["rpc"], restOnly[c["rest"]])+" "+outcome] = true
	}
	for _, procedure := range procedures() {
		for _, outcome := range []string{"ok", "refusal"} {
			key := procedure + " " + outcome
			test := answeredBy[key]
			switch {
			case shown[key] && test != "":
				t.Errorf("%s is in a case file: it needs no test of its own", key)
			case shown[key], outcome == "refusal" && slices.Contains(refusesNothing, procedure):
			case test == "":
				t.Errorf("no case has %s", key)
			case !isTest(t, test):
				t.Errorf("%s is said to be shown by %s, which is not there", key, test)
			}
		}
	}
}

// procedures are those that answer REST, by package.Service/Method.
func procedures() (list []string) {
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		for i := range file.Services().Len() {
			service := file.Services().Get(i)
			for j := range service.Methods().Len() {
				if method := service.Methods().Get(j); hasREST(method) {
					list = append(list, string(service.FullName())+"/"+string(method.Name()))
				}
			}
		}
		return true
	})
	slices.Sort(list)
	return list
}

func hasREST(method protoreflect.MethodDescriptor) bool {
	return proto.HasExtension(method.Options(), annotations.E_Http)
}

var keyLine = regexp.MustCompile(`(?m)^(rest|rpc|status): *(.*)$`)

// rawCases returns the cases of all files without replacing ${names}.
func rawCases(t *testing.T) (cases []map[string]string) {
	t.Helper()
	for _, text := range strings.Split(readAll(t, "testdata/*.txtar"), "\n-- ") {
		c := map[string]string{}
		for _, found := range keyLine.FindAllStringSubmatch(text, -1) {
			c[found[1]] = strings.TrimSpace(found[2])
		}
		cases = append(cases, c)
	}
	return cases
}

func isTest(t *testing.T, name string) bool {
	t.Helper()
	return strings.Contains(readAll(t, "*_test.go")+readAll(t, "../../services/convert/*_test.go"), "func "+name+"(")
}

func readAll(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	var all strings.Builder
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(b)
		all.WriteString("\n")
	}
	return all.String()
}
