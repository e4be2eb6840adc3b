# The same targets for everyone, CI included. Each sets up what it needs by
# itself: Go modules through the go command, npm packages from lock files.
# `make` alone lists them.

SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS   += --no-print-directory --no-builtin-rules
.DEFAULT_GOAL := help
.SUFFIXES:

GO    ?= go
STATE := .pharos

# make run: all services, or SERVICES="edge platform" for some.
SERVICES ?=
# make test-long: all parts, or PART=fuzz for one. Fuzzing ends by count: by time
# it fails now and then for being cut off.
PART     ?= race repeat fuzz fuzz-api mutate edge-soak wire faults play sim world
FUZZTIME ?= 50000x
# How many requests the platform's API is tried with, and the seed they are drawn from.
APIREQUESTS ?= 30000
APISEED     ?= $(shell date +%s)
# How long the edge is kept under load: SOAKTIME=20s to try it.
SOAKTIME ?= 30m
# How many times each race of writes to a session is run, and a connection is cut.
RACEROUNDS ?= 500
# How long clients build beside an agent: BESIDE=1m to try it.
BESIDE ?= 30m
# make corpus: a folder of OpenAPI documents; TABLE=docs/corpus.md writes the table too.
CORPUS ?=
TABLE  ?=

.PHONY: help run generate check test test-long contract corpus bench e2e
.PHONY: bin/mcpgen bin/pharos
.PHONY: check-generated check-queries check-format check-vet check-lint check-imports check-contract

help:
	@echo 'make run        serve everything on this machine; prints the URLs and a client configuration'
	@echo 'make generate   write the generated files'
	@echo 'make check      drift, statements and their plans, format, vet, lint, import policy, contract coverage; writes nothing'
	@echo 'make test       everything that must hold'
	@echo 'make test-long  the long runs; PART=race, repeat, fuzz, fuzz-api, mutate, edge-soak, wire, faults, play, sim or world for one of them'
	@echo 'make contract   which clauses of docs/contract a test proves'
	@echo 'make corpus     CORPUS=DIR: every OpenAPI document in DIR, from init to a listed tool'
	@echo 'make bench      measurements beside their references, against the goals'
	@echo 'make e2e        clients and servers of other people'

bin/mcpgen bin/pharos:
	@$(GO) build -o $@ ./cmd/$(@F)

# Without DATABASE_URL there is a private database; what is printed says where.
run: bin/pharos $(if $(DATABASE_URL),,postgres)
	@exec bin/pharos serve $(SERVICES)

generate:
	@$(GO) generate ./...

check: check-generated check-queries check-format check-vet check-lint check-imports check-contract
	@echo 'check: ok'

check-generated: bin/mcpgen
	@bin/mcpgen check
	@bin/mcpgen -C internal/bench/petstore check
	@bin/mcpgen -C internal/catalogtest check
	@bin/mcpgen -C internal/wiretest check

# What sqlc makes of queries/, every statement on a real server, every plan.
check-queries: postgres
	@.ci/queries check
	@$(GO) test ./queries

check-format:
	@bad=$$(git ls-files -z --cached --others --exclude-standard '*.go' | xargs -0 gofmt -l); \
	if [ -n "$$bad" ]; then printf 'not gofmt-ed:\n%s\n' "$$bad"; exit 1; fi

check-vet:
	@$(GO) vet ./...

# oapi-codegen's servers spell their errors with a capital.
check-lint:
	@$(GO) list ./... | grep -v /generated/ | xargs $(GO) tool staticcheck
	@$(GO) list ./... | grep /generated/ | xargs $(GO) tool staticcheck -checks inherit,-ST1005

check-imports:
	@$(GO) test ./internal/arch

check-contract contract:
	@$(GO) run ./internal/contract

# Tests run real servers, each of their own, on sockets.
.PHONY: servers postgres redis-server
servers: postgres redis-server

postgres:
	@.ci/postgres/install

redis-server:
	@command -v redis-server >/dev/null || { apt-get update -qq && apt-get install -qq -y redis-server >/dev/null; }

test: servers
	@$(GO) test ./...

.PHONY: long-race long-repeat long-fuzz long-fuzz-api long-mutate long-wire long-edge-soak long-faults long-play long-sim long-world
test-long: $(addprefix long-,$(PART))

long-race: servers
	@command -v gcc >/dev/null || { apt-get update -qq && apt-get install -qq -y gcc libc6-dev >/dev/null; }
	@CGO_ENABLED=1 $(GO) test -race -timeout 40m ./...

long-repeat: servers
	@$(GO) test -count 3 -shuffle on -timeout 40m ./...

long-fuzz:
	@for file in $$(git grep -lE '^func Fuzz' -- '*_test.go'); do \
		for name in $$(grep -oE '^func Fuzz\w+' "$$file" | cut -d' ' -f2); do \
			$(GO) test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) "./$$(dirname "$$file")"; \
		done; \
	done

# Every check of the verifier, and of where a browser is sent with what scopes, is
# needed by a test, or listed with the one that covers it.
long-mutate: servers
	@$(GO) run ./internal/mutate edge/token verify.go check.go scope.go keys.go
	@$(GO) run ./internal/mutate -run '^Test(Redirect|Register|Refresh|Scopes|UnknownClient)$$' services/broker redirect.go scope.go

long-fuzz-api: postgres
	@$(GO) test ./services/platform ./services/play -count 1 -v -timeout 40m -run '^TestAgainstDocument$$' -args -api-requests $(APIREQUESTS) -api-seed $(APISEED)

long-edge-soak: bin/pharos
	@$(GO) run ./internal/wiretest/soak -for $(SOAKTIME)

long-wire: bin/mcpgen
	@TABLE='$(TABLE)' .ci/e2e/wire/run

# Fifty outages of the database under load, and a lease that is waited for.
long-faults: servers
	@$(GO) test -count 1 -timeout 40m -v ./internal/platformtest -long

# Each race of writes to a session, with lost connections and statements without
# time among them. Then whole processes: as many connections are cut while they
# commit, fifty deaths, and bounds and leases that are waited for.
long-play: servers
	@$(GO) test ./services/play/assignment -count 1 -v -timeout 40m -run '^TestRace' -race-rounds $(RACEROUNDS)
	@$(GO) test ./internal/playtest -count 1 -v -timeout 40m -long -race-rounds $(RACEROUNDS)

# A thousand fights for the lease of the simulator, and fifty processes that are killed.
# The table of its baselines is played again, and the logs of 15 episodes are made
# with the instructions of other machines.
long-sim:
	@command -v qemu-aarch64-static >/dev/null || { apt-get update -qq && apt-get install -qq -y qemu-user-static >/dev/null; }
	@for level in v1 v3; do GOAMD64=$$level $(GO) test ./services/simulator/runlog -count 1 -v -run '^TestGolden$$'; done
	@GOARCH=arm64 $(GO) test -exec qemu-aarch64-static ./services/simulator/runlog -count 1 -v -run '^TestGolden$$'
	@$(GO) test ./services/simulator/baseline -count 1 -v -timeout 40m -run '^TestTable$$' -long
	@$(GO) test ./internal/simtest -count 1 -v -timeout 40m -run '^Test(Fight|Kill)$$' -long

# The world beside packages of npm: the tables made again from what they derive
# from, and what others read, write and turn. Every package that has more to try
# has a flag for it. Then processes that are killed at every point and at any
# moment, disks that lose what was not synced, and full ones.
long-world: postgres
	@.ci/e2e/install .ci/world
	@$(GO) test -count 1 -v -timeout 40m $$(git grep -l 'flag.Bool("long"' -- 'services/world/*_test.go' | xargs -n 1 dirname | sort -u | sed 's|^|./|') -long
	@$(GO) test ./internal/worldtest -count 1 -v -timeout 60m -long -beside $(BESIDE)

corpus: bin/mcpgen
	@[ -n '$(CORPUS)' ] || { echo 'usage: make corpus CORPUS=DIR [TABLE=FILE]'; exit 2; }
	@$(GO) run ./internal/corpus -mcpgen bin/mcpgen $(if $(TABLE),-table '$(TABLE)') '$(CORPUS)'

bench: bin/mcpgen bin/pharos postgres
	@$(GO) run ./internal/bench -mcpgen bin/mcpgen -pharos bin/pharos -state $(STATE)/bench

# A browser shows the pages that people see; CHROMIUM names another one.
.PHONY: chromium
chromium:
	@command -v $${CHROMIUM:-chromium chromium-browser google-chrome} >/dev/null || \
		{ apt-get update -qq && apt-get install -qq -y chromium >/dev/null; }

e2e: bin/mcpgen bin/pharos postgres chromium
	@.ci/three/vendor check
	@.ci/e2e/run
