# Hawser. `make help` lists the targets.
SHELL := /bin/bash -euo pipefail
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

BIN := .tmp/bin
GO_MODULES := ./proto/... ./services/... ./gateway/...
VERSION ?= 0.1.0
COMMIT := $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)
PROTO_TOOLS := $(addprefix $(BIN)/,protoc-gen-go protoc-gen-go-grpc protoc-gen-connect-go protoc-gen-grpc-gateway protoc-gen-openapiv2)
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
# The shared cache keeps findings by absolute path: those of another checkout, gone since, fail the run.
export GOLANGCI_LINT_CACHE := $(CURDIR)/.tmp/golangci-lint

.PHONY: help
help: ## Show this help
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

.PHONY: up
up: build ## Run everything: local chains, the suite, the demo page
	@exec node packages/devnet/src/up.mjs

.PHONY: test
test: setup build $(BIN)/nats-server ## Run every test there is
	@tools/test.sh

.PHONY: build
build: $(BIN)/hawser web ## Build the binary and the packages

.PHONY: web
web: node_modules
	@turbo run build --output-logs=errors-only --log-order=grouped

.PHONY: pack
pack: web ## Write the packages as tarballs to .tmp/packages
	@mkdir -p .tmp/packages && rm -f .tmp/packages/*.tgz
	@npm pack --silent --pack-destination .tmp/packages $(addprefix -w @hawser/,client ui siwe walletconnect frame core connectors react)

# The binary holds the pages of the embedded wallet, each with a compressed copy.
.PHONY: framepages
framepages: web
	@rm -rf gateway/frame/dist/*
	@cp -r apps/frame/dist/. gateway/frame/dist/
	@find gateway/frame/dist -type f ! -name '.*' -exec gzip -9nk {} +
	@node -p '"frame sha256 " + require("./apps/frame/dist/manifest.json").sha256'

.PHONY: $(BIN)/hawser
$(BIN)/hawser: framepages
	@mkdir -p $(BIN)
	@CGO_ENABLED=0 go build -trimpath -ldflags "$(LDFLAGS)" -o $@ ./gateway/cmd/hawser

.PHONY: $(BIN)/nats-server
$(BIN)/nats-server:
	@cd services && CGO_ENABLED=0 go build -trimpath -o ../$@ github.com/nats-io/nats-server/v2

# Not `npm ci`: it refuses a lock file without the binaries of platforms that a registry mirror does not carry.
node_modules: package-lock.json
	@npm install --no-save --no-audit --no-fund --loglevel=error
	@touch node_modules

.PHONY: setup
setup: node_modules tools/relaypeers/node_modules ## Install what the tests need beside Go and Node: Chromium, PostgreSQL, other SDKs
	@tools/setup.sh

.PHONY: generate
generate: node_modules tools/marks/node_modules $(PROTO_TOOLS) ## Regenerate code from the protos and the tables of networks and of swaps' contracts, and the marks of tokens
	@buf generate
	@buf generate --template buf.gen.ts.yaml
	@node tools/networks.mjs
	@node tools/swapContracts.mjs
	@node tools/contractNames.mjs
	@node tools/marks/build.mjs

tools/marks/node_modules: tools/marks/package-lock.json
	@npm install --prefix tools/marks --no-save --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

$(BIN)/protoc-gen-%: tools/go.mod
	@mkdir -p $(BIN)
	@cd tools && GOWORK=off go build -o ../$(BIN)/ $$(GOWORK=off go list -f '{{.ImportPath}}' tool | grep '/protoc-gen-$*$$')

.PHONY: lint
lint: lint-go lint-web ## Check style, types and protos

.PHONY: lint-go
lint-go: $(BIN)/golangci-lint
	@CGO_ENABLED=0 GOFLAGS=-trimpath $(BIN)/golangci-lint run $(GO_MODULES)

.PHONY: lint-web
lint-web: node_modules
	@buf lint
	@buf format --diff --exit-code > /dev/null
	@if git rev-parse -q --verify origin/main > /dev/null; then buf breaking --against '.git#branch=origin/main'; fi
	@biome check --error-on-warnings .
	@turbo run check --output-logs=errors-only
	@node tools/lockfiles.mjs
	@knip --treat-config-hints-as-errors

$(BIN)/golangci-lint: tools/lint/go.mod
	@mkdir -p $(BIN)
	@cd tools/lint && GOWORK=off go build -o ../../$(BIN)/ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

.PHONY: e2e
e2e: setup build ## Run only the browser journeys, with no way out
	@tools/offline.sh node --test --test-concurrency=2 packages/test/src/e2e/*.e2e.mjs

.PHONY: kills
kills: setup ## Kill processes of the suite a hundred times in each shape, and look for every write
	@HAWSER_KILLS=$${HAWSER_KILLS:-100} go test -timeout 60m -count 1 -v -run '^TestEveryAcknowledgedWriteIsThereOnceOverKills$$' ./gateway/e2e

.PHONY: bench
bench: setup build tools/clickbench/node_modules ## Print the budgets as ratios
	@tools/bench.sh

.PHONY: bench-convert
bench-convert: tools/convertbench/node_modules ## Compare the router of swaps with others
	@node tools/convertbench/bench.mjs

.PHONY: oldclients
oldclients: setup build tools/oldclients/1.7.3/node_modules tools/oldclients/1.8.0/node_modules ## Drive sites of AppKit 1.7.3 and 1.8.0 against the gateway
	@node --test --test-concurrency=1 tools/oldclients/*.e2e.mjs

tools/%/node_modules: tools/%/package-lock.json
	@npm install --prefix $(@D) --no-save --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

.PHONY: checkgenerate
checkgenerate: generate
	@git diff --exit-code --stat -- proto packages services gateway/marks || { echo 'generated code is stale: run make generate and commit'; exit 1; }

# Linting Go keeps one core busy, so the rest goes beside it. Generated code is written before, for the others read it.
.PHONY: ci
ci: ## What the build server runs
	@$(MAKE) -j4 --output-sync=target node_modules tools/marks/node_modules tools/relaypeers/node_modules $(BIN)/golangci-lint
	@$(MAKE) checkgenerate
	@$(MAKE) -j2 --output-sync=target lint-go lint-web build setup $(BIN)/nats-server
	@$(MAKE) test
