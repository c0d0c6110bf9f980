# Makefile - every task of the project; `make demo` and `make test` also set up the machine.

BASH = bash
.DEFAULT_GOAL = help

demo: ## a private median of 12,000 patients, with a picture (sets everything up)
	@$(BASH) tools/demo.sh

test: ## all tests, and the checks of layers and form (sets everything up)
	@$(BASH) tools/test.sh

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

format: ## lay out C files with clang-format, R files that changed with styler if it is there
	@$(BASH) tools/setup.sh test && $(BASH) tools/lint.sh fix

lint: ## lintr, clang-format, compiler warnings, cppcheck
	@$(BASH) tools/setup.sh test lint && $(BASH) tools/install.sh && $(BASH) tools/lint.sh

layers: ## the C layers and the house rules, and that breaches are caught
	@$(BASH) tools/layers.sh && $(BASH) tools/layers-selftest.sh

ctest: ## the plain C tests, under sanitizers
	@$(BASH) tools/setup.sh test && $(BASH) tools/ctest.sh

planted: ## privacy bugs planted in C, one by one: each must be caught
	@$(BASH) tools/setup.sh test && $(BASH) tools/install.sh && $(BASH) tools/ctest.sh >/dev/null && Rscript tools/planted.R

sanitize: ## the plain C tests and the whole test suite under ASan and UBSan
	@$(BASH) tools/sanitize.sh

valgrind: ## the plain C tests and cheap tests in R that call every C entry, under valgrind
	@$(BASH) tools/valgrind.sh

check: ## R CMD check --as-cran: no error, warning or note
	@$(BASH) tools/check.sh

cover: ## test coverage of R and C
	@$(BASH) tools/setup.sh cover && Rscript tools/cover.R

bench: ## the benchmarks in bench/
	@$(BASH) tools/bench.sh

simulations: ## reruns the figures of the vignettes: FIGURE=name for one, SMALL=1 for a small version
	@$(BASH) tools/simulations.sh $(FIGURE)

docs: ## help pages, and the site in docs/
	@$(BASH) tools/docs.sh

release: ## the archive for a submission, if no placeholder is left in its fields
	@$(BASH) tools/release.sh

audit: ## the slow privacy audits
	@$(BASH) tools/audit.sh

clean: ## remove what was built (downloaded packages in build/deps stay)
	@rm -rf docs Rplots.pdf dpdepth.Rcheck dpdepth_*.tar.gz src/*/*.o src/*.o src/*.so src/*.dll tests/ctest/bin
	@[ ! -d build ] || find build -mindepth 1 -maxdepth 1 ! -name deps -exec rm -rf {} +

.PHONY: demo test help format lint layers ctest planted sanitize valgrind check cover bench simulations docs release audit clean
