# Hawser. `make help` lists the targets.
SHELL := /bin/bash -euo pipefail
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

BIN := .tmp/bin
GO_MODULES := ./proto ./proto/siwe/... ./services/... ./gateway/... ./test/... ./tools/image/...
VERSION ?= 0.1.0
COMMIT := $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)
PROTO_TOOLS := $(addprefix $(BIN)/,protoc-gen-go protoc-gen-go-grpc protoc-gen-connect-go protoc-gen-grpc-gateway protoc-gen-openapiv2)
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
export TURBO_TELEMETRY_DISABLED := 1
export npm_config_update_notifier := false
# A cache of this checkout: it keeps findings by absolute path, and those of a checkout that was deleted fail the run. A build server that always
# checks out to the same path can keep it elsewhere.
export GOLANGCI_LINT_CACHE ?= $(CURDIR)/.tmp/golangci-lint

.PHONY: help
help: ## Show this help
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

.PHONY: up
up: build ## Run everything: local chains, the suite, the demo page
	@exec node packages/devnet/src/up.mjs

.PHONY: test
test: setup build ## Run each package's tests and the main journeys
	@tools/test.sh quick

.PHONY: test-full
test-full: setup-full build $(BIN)/nats-server $(BIN)/hawser-faults $(BIN)/hawser-dev-faults $(BIN)/faults ## Run all tests, except those of k8s-test and security
	@tools/test.sh full

BASE ?= origin/main
.PHONY: test-changed
test-changed: test setup-full ## Run the tests, and what test-full adds about the changes since BASE
	@mkdir -p .tmp/changed
	@git diff --name-only "$$(git merge-base $(BASE) HEAD)" > .tmp/changed/paths
	@tools/test.sh changed

.PHONY: build
build: $(BIN)/hawser $(BIN)/hawser-dev $(BIN)/regtest web ## Build the binaries and the packages

.PHONY: web
web: node_modules
	@turbo run build --output-logs=errors-only --log-order=grouped

.PHONY: docs
docs: node_modules ## Build the documentation, to be read from apps/docs/dist/index.html
	@turbo run build --filter @hawser/docs --output-logs=errors-only --log-order=grouped

.PHONY: screenshots
screenshots: setup build ## Take the pictures of the documentation again
	@tools/setup.sh screenshots
	@node test/journeys/screenshots.mjs

.PHONY: pack
pack: web ## Write the packages as tarballs to .tmp/packages
	@mkdir -p .tmp/packages && rm -f .tmp/packages/*.tgz
	@node tools/pack.mjs .tmp/packages

# The binary holds the pages of the embedded wallet, the wallet page of hand-offs and the page of the console, each file with a compressed copy.
.PHONY: builtpages
builtpages: web
	@for app in frame handoff $(notdir $(wildcard apps/console)); do \
	  rm -rf gateway/$$app/dist/* && cp -r apps/$$app/dist/. gateway/$$app/dist/ && \
	  find gateway/$$app/dist -type f ! -name '.*' -exec gzip -9nk {} + && \
	  node -p "'$$app sha256 ' + require('./apps/$$app/dist/manifest.json').sha256"; \
	done

.PHONY: $(BIN)/hawser
$(BIN)/hawser: builtpages
	@mkdir -p $(BIN)
	@[ -e $@ ] || echo "Compiling the suite, which takes minutes the first time"
	@CGO_ENABLED=0 go build -trimpath -ldflags "$(LDFLAGS)" -o $@ ./gateway/cmd/hawser

# The servers that replace external services in development and in tests; no release contains them.
.PHONY: $(BIN)/hawser-dev
$(BIN)/hawser-dev:
	@mkdir -p $(BIN)
	@CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o $@ ./services/development/cmd/hawser-dev

# The local Bitcoin network.
.PHONY: $(BIN)/regtest
$(BIN)/regtest:
	@mkdir -p $(BIN)
	@CGO_ENABLED=0 go build -trimpath -o $@ ./services/bitcoin/bitcointest/regtest

.PHONY: $(BIN)/nats-server
$(BIN)/nats-server:
	@cd services && CGO_ENABLED=0 go build -trimpath -o ../$@ github.com/nats-io/nats-server/v2

# What a release is made of. COMMIT_TIME stands for the time of the build, so that the same commit gives the same bytes.
RELEASE := .tmp/release
PLATFORMS ?= linux-amd64 linux-arm64
COMMIT_TIME := $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
IMAGE := cd tools/image && go run -trimpath . -root ../.. -programs ../../$(RELEASE)/bin -out ../../$(RELEASE) -version $(VERSION) -revision $$(git rev-parse HEAD) -time $(COMMIT_TIME)

.PHONY: image
image: $(foreach p,$(PLATFORMS),$(RELEASE)/bin/hawser-$(p) $(RELEASE)/bin/nats-server-$(p)) ## Write the images as OCI archives to .tmp/release
	@$(IMAGE)

.PHONY: release
release: $(foreach p,$(PLATFORMS) darwin-amd64 darwin-arm64,$(RELEASE)/bin/hawser-$(p)) $(foreach p,$(PLATFORMS),$(RELEASE)/bin/nats-server-$(p)) ## Write images, programs, chart and checksums to .tmp/release
	@$(IMAGE) -release

# A program for the platform that its name ends in, as hawser-linux-arm64. The system a program is built on leaves no trace in it.
cross = CGO_ENABLED=0 GOFLAGS=-buildvcs=false GOOS=$(word 1,$(subst -, ,$*)) GOARCH=$(word 2,$(subst -, ,$*)) go build -trimpath
$(RELEASE)/bin/hawser-%: builtpages
	@mkdir -p $(@D)
	@$(cross) -ldflags "$(LDFLAGS)" -o $@ ./gateway/cmd/hawser

$(RELEASE)/bin/nats-server-%: services/go.mod
	@mkdir -p $(@D)
	@cd services && $(cross) -ldflags '-s -w' -o ../$@ github.com/nats-io/nats-server/v2

# Not `npm ci`: it refuses a lock file without the binaries of platforms that a registry mirror does not carry. No package runs a script.
node_modules: package-lock.json
	@echo "Installing the npm packages"
	@npm install --no-save --no-audit --no-fund --ignore-scripts --loglevel=error
	@node tools/installed.mjs
	@touch node_modules

.PHONY: setup
setup: node_modules ## Install what the tests need beside Go and Node: Chromium, PostgreSQL
	@tools/setup.sh

.PHONY: setup-full
setup-full: setup test/peers/relay/node_modules test/peers/appkit/1.7.3/node_modules test/peers/appkit/1.8.0/node_modules ## Install what test-full needs as well: Firefox, proxies, other SDKs
	@tools/setup.sh firefox
	@tools/setup.sh proxies

.PHONY: generate
generate: node_modules tools/marks/node_modules $(PROTO_TOOLS) ## Regenerate code from the protos and the tables of networks and of swaps' contracts, the marks of tokens, the texts of every language, and the list of settings
	@buf generate
	@buf generate --template buf.gen.ts.yaml
	@buf generate --template buf.gen.console.yaml
	@node tools/moreNetworks.mjs
	@node tools/networks.mjs
	@node tools/previewBounds.mjs
	@node tools/swapContracts.mjs
	@node tools/contractNames.mjs
	@node tools/ensNormalize.mjs
	@node packages/texts/scripts/generate.mjs
	@node tools/marks/build.mjs
	@CGO_ENABLED=0 go run -trimpath ./gateway/cmd/hawser config document > .tmp/settings.md && mv .tmp/settings.md docs/settings.md

tools/marks/node_modules: tools/marks/package-lock.json
	@npm install --prefix tools/marks --no-save --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

$(BIN)/protoc-gen-%: tools/go.mod
	@mkdir -p $(BIN)
	@cd tools && GOWORK=off CGO_ENABLED=0 go build -trimpath -o ../$(BIN)/ $$(GOWORK=off go list -f '{{.ImportPath}}' tool | grep '/protoc-gen-$*$$')

.PHONY: lint
lint: lint-go lint-web ## Check style, types and protos

.PHONY: lint-go
lint-go: $(BIN)/golangci-lint
	@CGO_ENABLED=0 GOFLAGS=-trimpath $(BIN)/golangci-lint run $(GO_MODULES)

.PHONY: lint-web
lint-web: node_modules
	@buf lint
	@buf format --diff --exit-code
	@if git rev-parse -q --verify origin/main > /dev/null; then buf breaking --against '.git#branch=origin/main'; fi
	@biome check --error-on-warnings .
	@turbo run check --output-logs=errors-only
	@node tools/lockfiles.mjs
	@node tools/licences.mjs
	@knip --treat-config-hints-as-errors

# SECURITY=required fails where a database of vulnerabilities cannot be reached.
.PHONY: security
security: node_modules ## Check licences and known vulnerabilities of what the suite depends on
	@tools/security.sh

TIME ?= 1m
.PHONY: fuzz
fuzz: ## Fuzz every parser for TIME each
	@tools/fuzz.sh $(TIME) all

$(BIN)/golangci-lint: tools/lint/go.mod
	@mkdir -p $(BIN)
	@cd tools/lint && GOWORK=off CGO_ENABLED=0 go build -trimpath -o ../../$(BIN)/ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

.PHONY: e2e
e2e: setup build ## Run only the browser journeys, without network egress
	@tools/offline.sh node test/journeys/play.mjs

.PHONY: firefox
firefox: setup-full build ## Run the main journeys in Firefox, without network egress
	@tools/offline.sh node --test test/journeys/firefox.e2e.mjs

.PHONY: kills
kills: setup ## Kill processes of the suite a hundred times in each shape, and check every acknowledged write
	@HAWSER_KILLS=$${HAWSER_KILLS:-100} go test -timeout 60m -count 1 -v -run '^TestEveryAcknowledgedWriteIsThereOnceOverKills$$' ./test/e2e

# Binaries whose clock can be set wrong.
WRONG_CLOCK := -X github.com/hawser-dev/hawser/services/platform/clock.hasOffset=yes
.PHONY: $(BIN)/hawser-faults
$(BIN)/hawser-faults: builtpages
	@mkdir -p $(BIN)
	@CGO_ENABLED=0 go build -trimpath -ldflags "$(LDFLAGS) $(WRONG_CLOCK)" -o $@ ./gateway/cmd/hawser

.PHONY: $(BIN)/hawser-dev-faults
$(BIN)/hawser-dev-faults:
	@mkdir -p $(BIN)
	@CGO_ENABLED=0 go build -trimpath -ldflags "-s -w $(WRONG_CLOCK)" -o $@ ./services/development/cmd/hawser-dev

.PHONY: $(BIN)/faults
$(BIN)/faults:
	@CGO_ENABLED=0 go build -trimpath -o $@ ./test/faults

DURATION ?= 3m
RATE ?= 60
SEED ?= 0
.PHONY: load
load: setup $(BIN)/hawser-faults $(BIN)/hawser-dev-faults $(BIN)/faults $(BIN)/nats-server ## Send requests to a split suite at a fixed rate, and print how long they take
	@$(BIN)/faults -load -duration $(DURATION) -rate $(RATE) -seed $(SEED)

.PHONY: faults
faults: setup $(BIN)/hawser-faults $(BIN)/hawser-dev-faults $(BIN)/faults $(BIN)/nats-server ## Break parts of a split suite under load, and check for lost writes and wrong answers
	@$(BIN)/faults -duration $(DURATION) -rate $(RATE) -seed $(SEED)

.PHONY: hostile
hostile: setup $(BIN)/hawser-faults $(BIN)/hawser-dev-faults $(BIN)/faults $(BIN)/nats-server ## Attack a split suite with the limits of the chart as a caller can, and watch its memory and another caller
	@$(BIN)/faults -hostile -duration 10s

.PHONY: chart
chart: $(BIN)/hawser $(BIN)/nats-server ## Check images and chart without a cluster: what is packed, and what Helm renders
	@cd tools/image && go test -trimpath ./...
	@cd test/cluster && GOWORK=off CGO_ENABLED=0 go test -trimpath ./chart ./node/...

# Not a part of `make test`: it needs root, namespaces and cgroups. K8S=optional skips it where they are missing.
.PHONY: k8s-test
k8s-test: ## Install the chart on a real Kubernetes on this machine, and break what runs there
	@$(MAKE) image PLATFORMS=linux-$$(go env GOARCH)
	@VERSION=$(VERSION) test/cluster/k8s-test.sh

.PHONY: bench
bench: setup build test/peers/click/node_modules ## Print the budgets as ratios
	@tools/bench.sh

.PHONY: capacity
capacity: setup $(BIN)/hawser ## Print what each unit of load costs, at two sizes
	@go build -o $(BIN)/bench ./test/bench
	@$(BIN)/bench -capacity

.PHONY: bench-convert
bench-convert: test/peers/convert/node_modules ## Compare the swap router with those of Uniswap's SDKs
	@node test/peers/convert/bench.mjs

.PHONY: oldclients
oldclients: setup build test/peers/appkit/1.7.3/node_modules test/peers/appkit/1.8.0/node_modules ## Drive sites of AppKit 1.7.3 and 1.8.0, and ethers, against the gateway
	@node --test --test-concurrency=1 test/peers/appkit/*.e2e.mjs

tools/%/node_modules: tools/%/package-lock.json
	@npm install --prefix $(@D) --no-save --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

test/peers/%/node_modules: test/peers/%/package-lock.json
	@npm install --prefix $(@D) --no-save --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

.PHONY: checkgenerate
checkgenerate: generate
	@git diff --exit-code --stat -- proto packages apps/console/src/gen services gateway/marks docs/settings.md || { echo 'generated code is stale: run make generate and commit'; exit 1; }

# Code is generated before the other targets read it. Where main is known, the tests are those of the changes since then as well.
.PHONY: ci
ci: ## What the build server runs
	@$(MAKE) -j3 --output-sync=target node_modules tools/marks/node_modules $(BIN)/golangci-lint
	@$(MAKE) checkgenerate
	@$(MAKE) -j2 --output-sync=target lint-web build setup
	@if git diff --quiet origin/main HEAD 2> /dev/null || ! git rev-parse -q --verify origin/main > /dev/null; then $(MAKE) test LINT=1 RACE=1 AGAIN=1; else $(MAKE) test-changed LINT=1 RACE=1 AGAIN=1; fi
