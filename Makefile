# Sightline. `make play` and `make test` do all their own set-up.

GO      ?= go
BIN     := bin
MAP     ?= pit
ASSETS  ?=
SECONDS ?= 20
PROVE_WORLDS ?= 200
ADDR    ?= 127.0.0.1:27960
ARGS    ?=
PLUGINS := policy-deaddrop policy-netoptimize policy-open policy-pvs policy-reach policy-screen rules-bomb rules-duel rules-teams

ifneq ($(DISPLAY),)
SHOW :=
else
SHOW := show
endif

SHELL := /bin/sh

.PHONY: restarts plugins-report timing-report help play server join test vet unit race race-long stopped cross realmaps plugins arena arenad tools proto bench bench-match bench-policies bench-predict prove soak fuzz match-real clean

help: ## what there is
	@grep -hE "^[a-z-]+:.*##" $(MAKEFILE_LIST) | sed "s/:.*## */\t/" | expand -t 12

play: ## play against 7 bots; with no display: SECONDS of it, out/play.png and a summary
	@sh tools/deps.sh build $(SHOW)
	@$(MAKE) --no-print-directory arena plugins
	@sh tools/play.sh "$(MAP)" "$(ASSETS)" "$(SECONDS)" $(ARGS)

server: arenad plugins ## a dedicated server of the same match
	$(BIN)/arenad -plugins $(BIN) -map '$(MAP)' $(if $(ASSETS),-assets '$(ASSETS)') $(ARGS)

join: ## join a server: make join ADDR=host:port
	@sh tools/deps.sh build $(SHOW)
	@$(MAKE) --no-print-directory arena
	@JOIN='$(ADDR)' sh tools/play.sh "$(MAP)" "$(ASSETS)" "$(SECONDS)" $(ARGS)

arena: ## the client and listen server
	$(GO) build -trimpath -o $(BIN)/arena ./examples/arena

arenad: ## the dedicated server: no cgo
	CGO_ENABLED=0 $(GO) build -trimpath -o $(BIN)/arenad ./examples/arenad

plugins: ## the plugin binaries
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags=-s -o $(BIN)/ $(PLUGINS:%=./plugins/%)

tools: ## the sightline command
	CGO_ENABLED=0 $(GO) build -trimpath -o $(BIN)/sightline ./tools/sightline

realmaps: ## fetch the real maps that the tests read (GPL, never committed)
	@sh tools/deps.sh maps
	sh tools/realmaps.sh openarena-oacmp1

test: ## everything
	@sh tools/deps.sh build show test
	@$(MAKE) --no-print-directory realmaps || echo "test: the real maps could not be fetched; their tests will say that they skip"
	@$(MAKE) --no-print-directory vet unit race cross

vet: ## formatting and go vet
	@out=$$(gofmt -l $$(git ls-files '*.go' | grep -v '\.pb\.go$$')); test -z "$$out" || { echo "not gofmt-clean:"; echo "$$out"; exit 1; }
	$(GO) vet ./...

unit: arena arenad plugins tools
	xvfb-run -a -s '-screen 0 1280x720x24 -noreset' $(GO) test ./...

# desktop draws in software for most of its tests and scenario has no goroutine:
# of these the parts that cross goroutines are run.
race: ## the packages that have goroutines, under the race detector
	$(GO) test -race -short $$($(GO) list ./engine/... ./net/... ./plugins/... | grep -v -e /desktop -e /scenario -e /plugintest)
	xvfb-run -a -s '-screen 0 1280x720x24 -noreset' $(GO) test -race -short -run 'Kick|Stop|Answer' ./engine/desktop
	$(GO) test -race -short -run 'MatchWith|Killed' ./examples/internal/host

race-long: ## the match of 60 s with plugin processes, under the race detector
	$(GO) test -race -run 'MatchWith' -timeout 40m ./examples/internal/host

stopped: ## a client process that is stopped for 12 s and goes on
	$(GO) test -count=1 -v -run Stopped ./examples/arenad -stop 12s

cross: ## the packages without cgo compile for the other systems
	@for t in darwin/arm64 windows/amd64 linux/arm64; do \
		echo "cross $$t"; \
		CGO_ENABLED=0 GOOS=$${t%/*} GOARCH=$${t#*/} $(GO) build -o /dev/null ./examples/arenad || exit 1; \
		CGO_ENABLED=0 GOOS=$${t%/*} GOARCH=$${t#*/} $(GO) build ./game/... ./net/... ./engine/server ./engine/client || exit 1; \
	done

proto: ## regenerate the plugin contracts
	cd tools/protogen && $(GO) run .

bench: ## benchmarks, as figures and allocations
	$(GO) test -run '^$$' -bench . -benchmem ./game/... ./net/... ./engine/...

bench-match: tools plugins ## a match of 100 bots over UDP, measured; ARGS='--stepped --json' and so on
	$(BIN)/sightline bench match --plugins $(BIN) $(ARGS)

bench-policies: tools plugins ## the match of 100 bots under each policy, as processes: writes the table in docs/bench.md
	$(BIN)/sightline bench policies --plugins $(BIN) -o docs/bench.md $(ARGS)

bench-predict: ## ten minutes of 16 bots over a bad line, twice: no prediction may be wrong
	$(GO) test ./engine/scenario -count 1 -run TestPredictionHoldsOverTheUsualLine -predict-seconds 600 -timeout 2h -v

prove: ## the proofs in their long form: PROVE_WORLDS (200) pairs of worlds for each policy
	$(GO) test ./engine/scenario -count 1 -v -timeout 2h -run 'NonInterference|Mutants|SideChannel|Completeness|OutOfProcess|AllSides' -prove-worlds $(PROVE_WORLDS)

policies-report: ## what each policy tells on the scenes: writes docs/policies.md and its picture
	$(GO) test ./tools/sightline -count 1 -run TestPoliciesPageIsWhatTheyDo -policies.update

timing-report: ## who is told when at a corner: writes docs/timing.md
	$(GO) test ./tools/sightline -count 1 -run TestTimingPageIsWhatIsMeasured -timing.update

restarts: ## 500 crashes of plugins: do files, goroutines or memory grow?
	$(GO) test ./plugins/host -run TestCrashesLeaveNothingBehind -v -restarts 500 -timeout 30m

plugins-report: tools plugins ## what plugins cost by each crossing: writes docs/plugins-bench.md
	$(BIN)/sightline bench plugins --plugins $(BIN) -o docs/plugins-bench.md

soak: tools ## 30 minutes of 64 bots: does anything grow?
	$(BIN)/sightline bench soak $(ARGS)

fuzz: ## every decoder: those of packets FUZZTIME (10m) each, others FUZZOTHER (2m); FUZZ=net/wire narrows
	@sh tools/fuzz.sh

clean:
	rm -rf $(BIN) out
