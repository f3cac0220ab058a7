package proto

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/access/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/analytics/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/auth/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/bitcoin/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/directory/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/features/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/handoff/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	optionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/options/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/sandbox/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/webhooks/v1"
)

// What is not imported above is not tested.
func TestEveryProtoIsImported(t *testing.T) {
	paths, err := filepath.Glob("hawser/*/v1/*.proto")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no protos are found: %v", err)
	}
	for _, path := range paths {
		if _, err := protoregistry.GlobalFiles.FindFileByPath(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// forEachMethod calls do for every RPC.
func forEachMethod(t *testing.T, do func(method protoreflect.MethodDescriptor, access optionsv1.Access)) {
	t.Helper()
	calls := 0
	protoregistry.GlobalFiles.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			service := f.Services().Get(i)
			if !strings.HasPrefix(string(service.FullName()), "hawser.") {
				continue
			}
			for j := range service.Methods().Len() {
				calls++
				method := service.Methods().Get(j)
				access, _ := proto.GetExtension(method.Options(), optionsv1.E_Access).(optionsv1.Access)
				do(method, access)
			}
		}
		return true
	})
	if calls == 0 {
		t.Error("found no call at all")
	}
}

func TestEveryCallSaysWhoMayMakeIt(t *testing.T) {
	forEachMethod(t, func(method protoreflect.MethodDescriptor, access optionsv1.Access) {
		if access == optionsv1.Access_ACCESS_UNSPECIFIED {
			t.Errorf("%s has no option hawser.options.v1.access", method.FullName())
		}
	})
}

// logins are the calls of the console that need no operator: they sign one in.
var logins = []protoreflect.Name{"Login", "StartPasskeyLogin", "FinishPasskeyLogin", "StartProviderLogin", "FinishProviderLogin"}

// The console enforces the role before a call, and writes a call that changes something to the audit log first. A call without these options would be open
// to everybody, or leave no trace.
func TestEveryCallOfTheConsoleStatesItsRoleAndWhetherItChangesSomething(t *testing.T) {
	calls := 0
	forEachMethod(t, func(method protoreflect.MethodDescriptor, access optionsv1.Access) {
		isConsole := method.ParentFile().Package() == "hawser.admin.v1"
		if isConsole != (access == optionsv1.Access_ACCESS_CONSOLE) {
			t.Errorf("%s has %s", method.FullName(), access)
		}
		role, _ := proto.GetExtension(method.Options(), optionsv1.E_Role).(optionsv1.Role)
		hasChanges := proto.HasExtension(method.Options(), optionsv1.E_Changes)
		if !isConsole {
			if role != optionsv1.Role_ROLE_UNSPECIFIED || hasChanges {
				t.Errorf("%s has an option that only the console enforces", method.FullName())
			}
			return
		}
		calls++
		if role == optionsv1.Role_ROLE_UNSPECIFIED || !hasChanges {
			t.Errorf("%s has the role %s, and says whether it changes something: %t", method.FullName(), role, hasChanges)
		}
		if role == optionsv1.Role_ROLE_ANYBODY && !slices.Contains(logins, method.Name()) {
			t.Errorf("%s needs no operator", method.FullName())
		}
	})
	if calls == 0 {
		t.Error("found no call of the console")
	}
}

// Calls of the embedded wallet have Connect only, because each carries a proof for its path and body.
func TestTheCallsOfCallersHaveARESTForm(t *testing.T) {
	forEachMethod(t, func(method protoreflect.MethodDescriptor, access optionsv1.Access) {
		if method.IsStreamingServer() {
			return
		}
		want := true
		switch access {
		case optionsv1.Access_ACCESS_INTERNAL, optionsv1.Access_ACCESS_DEVICE, optionsv1.Access_ACCESS_DEVICE_OPEN, optionsv1.Access_ACCESS_CONSOLE:
			want = false
		}
		rule, _ := proto.GetExtension(method.Options(), annotations.E_Http).(*annotations.HttpRule)
		if got := rule.GetPattern() != nil; got != want {
			t.Errorf("%s has %s and a google.api.http rule: %t", method.FullName(), access, got)
		}
	})
}

func TestEveryMessageOfAnEventFileIsAnEvent(t *testing.T) {
	protoregistry.GlobalFiles.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		if !strings.HasSuffix(f.Path(), "/events.proto") {
			return true
		}
		if f.Services().Len() > 0 {
			t.Errorf("%s holds a service", f.Path())
		}
		if f.Messages().Len() == 0 {
			t.Errorf("%s holds no event", f.Path())
		}
		return true
	})
}

func TestTheOpenAPIDocumentNamesEveryCall(t *testing.T) {
	var doc struct{ Paths map[string]map[string]any }
	if err := json.Unmarshal(OpenAPI, &doc); err != nil {
		t.Fatal(err)
	}
	calls := 0
	protoregistry.GlobalFiles.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			methods := f.Services().Get(i).Methods()
			for j := range methods.Len() {
				rule, _ := proto.GetExtension(methods.Get(j).Options(), annotations.E_Http).(*annotations.HttpRule)
				if rule == nil {
					continue
				}
				for _, binding := range append([]*annotations.HttpRule{rule}, rule.GetAdditionalBindings()...) {
					calls++
					if verb, path := route(binding); doc.Paths[path][verb] == nil {
						t.Errorf("%s: %s %s is missing", methods.Get(j).FullName(), verb, path)
					}
				}
			}
		}
		return true
	})
	if calls < len(doc.Paths) {
		t.Errorf("the document has %d paths of %d calls", len(doc.Paths), calls)
	}
}

// route returns the verb and the path of a rule.
func route(rule *annotations.HttpRule) (verb, path string) {
	switch pattern := rule.GetPattern().(type) {
	case *annotations.HttpRule_Get:
		return "get", pattern.Get
	case *annotations.HttpRule_Put:
		return "put", pattern.Put
	case *annotations.HttpRule_Post:
		return "post", pattern.Post
	case *annotations.HttpRule_Delete:
		return "delete", pattern.Delete
	case *annotations.HttpRule_Patch:
		return "patch", pattern.Patch
	}
	return "", ""
}
