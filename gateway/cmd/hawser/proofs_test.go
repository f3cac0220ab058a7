package main

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/hawser-dev/hawser/services/platform/run"
)

// A proof is accepted once: a second attempt of a call that carries one is refused if the first one arrived.
func TestNoCallWithAProofInItsRequestIsRepeated(t *testing.T) {
	proofs := map[string]bool{}
	protoregistry.GlobalFiles.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			methods := f.Services().Get(i).Methods()
			for j := range methods.Len() {
				name := fmt.Sprintf("/%s/%s", methods.Get(j).Parent().FullName(), methods.Get(j).Name())
				for _, request := range provenRequests(methods.Get(j).Input()) {
					proofs[name] = true
					if run.Repeatable(t.Context(), name, request) {
						t.Errorf("%s is repeated with the proof in %v", name, request.Descriptor().FullName())
					}
				}
			}
		}
		return true
	})
	for _, known := range []string{"/hawser.sessions.v1.SmartSessionsService/ListSessions", "/hawser.names.v1.NamesService/RegisterName"} {
		if !proofs[known] {
			t.Errorf("no proof is found in %s", known)
		}
	}
}

// provenRequests returns for each field that may hold a proof a message with this field set. A proof that is no message cannot be recognized, so its
// message is empty.
func provenRequests(of protoreflect.MessageDescriptor) (requests []*dynamicpb.Message) {
	if !strings.HasPrefix(string(of.FullName()), "hawser.") {
		return nil
	}
	for i := range of.Fields().Len() {
		field := of.Fields().Get(i)
		name := string(field.Name())
		if name != "proof" && name != "nonce" && name != "signature" && !strings.HasSuffix(name, "_proof") {
			continue
		}
		m := dynamicpb.NewMessage(of)
		if field.Message() != nil && !field.IsList() {
			m.Set(field, m.NewField(field))
		}
		requests = append(requests, m)
	}
	return requests
}
