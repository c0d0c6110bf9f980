# dp_median_exponential(resolution =): medians of whole numbers and other multiples of a public step.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

counts <- rep(0:7, c(35, 107, 110, 74, 36, 18, 10, 2))

draw_multiples <- function(draws, x, epsilon, prior, resolution, directions = NULL) {
  draw_medians(draws, x, epsilon, prior, directions, resolution = resolution)
}

# The law on a grid of candidates, from the depth counts of the rounded rows.
multiples_law <- function(depth, epsilon, log_prior = 0) {
  weight <- exp(epsilon * (depth - max(depth)) / 2 + log_prior)
  weight / sum(weight)
}

test_that("a median of whole numbers is hit, not missed by a fraction", {
  skip_on_cran()
  # without a resolution the draw falls beside 2: that was the fault
  drawn <- replicate(100, coef(dp_median(counts, 1, lower = 0, upper = 20, resolution = 1)))
  expect_true(all(drawn == 2))
  release <- dp_median(counts, 1, lower = 0, upper = 20, resolution = 1)
  expect_match(release$details$why, "declared whole numbers")
  expect_identical(release$details$resolution, c(x = 1))
  expect_no_match(dp_median(counts, 1, lower = 0, upper = 20)$details$why, "declared")
})

test_that("one variable: candidates have their exact probabilities", {
  skip_on_cran()
  at <- 0:20
  depth <- vapply(at, function(m) min(sum(counts <= m), sum(counts >= m)), 0)
  for (epsilon in c(0.002, 0.02)) {
    drawn <- draw_multiples(1e5, counts, epsilon, prior_uniform(0, 20), 1)
    expect_law(tabulate(drawn + 1, 21), multiples_law(depth, epsilon), epsilon)
    normal <- draw_multiples(1e5, counts, epsilon, prior_normal(3.3, 0.4), 1)
    expect_true(all(normal >= -11 & normal <= 17))
    p <- multiples_law(c(rep(0, 11), depth[1:18]), epsilon, -0.5 * ((-11:17 - 3.3) / 0.4)^2)
    expect_law(tabulate(normal + 12, 29), p, paste("normal", epsilon))
  }
  drawn <- draw_multiples(1e5, counts, 0.022, prior_uniform(0, 20), 1)
  expect_not_law(tabulate(drawn + 1, 21), multiples_law(depth, 0.02), "10% over")
  # rows rounded another way than candidates
  shifted <- draw_multiples(1e5, counts + 0.6, 0.02, prior_uniform(0, 20), 1)
  expect_not_law(tabulate(shifted + 1, 21), multiples_law(depth, 0.02), "shifted")
})

test_that("two variables with steps of their own: candidates have their exact probabilities", {
  x <- cbind(rep(0:4, c(3, 6, 8, 5, 3)), rep(c(1, 0, 2, 1, 0.5), 5))
  grid <- as.matrix(expand.grid(0:4, seq(0, 2, 0.5)))
  prior <- prior_uniform(c(0, 0), c(4, 2))
  cells <- function(draws) tabulate(draws[, 1] + 10 * draws[, 2] + 1, 25)
  exact <- round(25 * depth_halfspace(grid, x))
  expect_law(cells(draw_multiples(5e4, x, 0.5, prior, c(1, 0.5))), multiples_law(exact, 0.5), "exact")
  dirs <- diag(2)
  along <- slow_directional(grid, x, dirs)
  drawn <- draw_multiples(5e4, x, 0.5, prior, c(1, 0.5), dirs)
  expect_law(cells(drawn), multiples_law(along, 0.5), "directional")
  expect_not_law(cells(drawn), multiples_law(along, 0.7), "another epsilon")
})

test_that("values are the multiples as R reads them, ends included", {
  # 3 / 10, not 3 * 0.1
  drawn <- draw_multiples(2000, c(0.3, 0.7), 1e-6, prior_uniform(0.3, 0.7), 0.1)
  expect_setequal(as.vector(drawn), c(0.3, 0.4, 0.5, 0.6, 0.7))
  expect_setequal(as.vector(draw_multiples(500, 5, 1e-6, prior_uniform(1, 9), 3)), c(3, 6, 9))
  # a step for one variable, none for the other
  mixed <- draw_multiples(20, cbind(counts, counts), 1, prior_uniform(0, 20), c(1, 0))
  expect_true(all(mixed[, 1] == round(mixed[, 1])))
})

test_that("a resolution may name some of the variables; the others keep the default", {
  skip_on_cran()
  # not on one line: an exact draw around one takes seconds
  x <- cbind(a = counts, b = rep_len(0:4, length(counts)) / 10)
  resolution_of <- function(..., fun = dp_median) fun(x, 1, lower = 0, upper = 20, ...)$details$resolution
  step <- dp_median(x, 1, lower = 0, upper = 20)$details$step
  expect_identical(resolution_of(resolution = c(b = 0.1)), c(a = step[["a"]], b = 0.1))
  axes <- dp_median_exponential(x, 1, lower = 0, upper = 20, directions = "axes")$details$step
  expect_identical(resolution_of(resolution = c(a = 1), directions = "axes", fun = dp_median_exponential),
                   c(a = 1, b = axes[["b"]]))
  # without limits the steps are those of prior_dyadic()
  expect_identical(dp_median(x, 1, resolution = c(b = 0.1))$details$prior$unit, c(2^-20, 0.1))
  restricted <- dp_median_restricted(x, 9, 1e-3, resolution = c(b = 0.25))
  expect_identical(restricted$details$resolution, c(a = 2^-16, b = 0.25))
  expect_error(dp_median(x, 1, lower = 0, upper = 20, resolution = c(z = 1)), "`a`, `b`, not 1 other name",
               class = "dpdepth_error_input")
  expect_error(dp_median(x, 1, resolution = 0), "`resolution`", class = "dpdepth_error_input")
})

test_that("resolutions are matched by name and refused in words", {
  x <- cbind(a = counts, b = counts / 10)
  limits <- prior_uniform(0, 20)
  release <- dp_median_exponential(x, 1, prior = limits, resolution = c(b = 0.1, a = 1))
  expect_identical(release$details$resolution, c(a = 1, b = 0.1))
  ledger <- dp_ledger(1)
  bad <- function(resolution, ...) {
    expect_error(dp_median_exponential(x, 1, prior = limits, resolution = resolution, ledger = ledger, ...),
                 "resolution", class = "dpdepth_error_input")
  }
  wrong <- list(0, -1, NA, Inf, "1", c(1, 2, 3), c(foo = 1), c(a = 1, foo = 1), 1e-300, 1e-12, TRUE)
  for (resolution in wrong) bad(resolution)
  expect_error(dp_median_exponential(x, 1, prior = prior_uniform(1, 2.5), resolution = 3),
               "resolution", class = "dpdepth_error_input")
  expect_no_error(dp_median_exponential(x, 1, prior = limits, resolution = 1, ledger = ledger))
})

test_that("a prior with a covariance has the lattice of what is drawn, and takes no resolution", {
  prior <- prior_normal(0, covariance = matrix(c(4, 1, 1, 1), 2))
  steps <- function(prior, resolution = NULL) prior$sd
  expect_identical(prior_lattice(prior, NULL, c("a", "b"), steps)$step$step, 1)
  e <- expect_error(prior_lattice(prior, 1, c("a", "b"), steps), class = "dpdepth_error_input")
  expect_identical(e$arg, "resolution")
})

# -- resolution = "type" -----------------------------------------------------------------------------

# Columns of 601 rows of which a third or more share the median, far from the other rows. A default lattice
# has so many candidates between them that a draw with epsilon = 0.25 misses it.
shared_values <- function() {
  data.frame(visits = rep(c(0L, 50L, 100L), c(201, 200, 200)), smokes = rep(c(TRUE, FALSE), c(380, 221)),
             children = rep(c(0L, 20L), c(401, 200)))
}
shared_limits <- c(visits = 200, smokes = 1, children = 40)

test_that("medians of counts and flags find a value that many rows share, where types are declared", {
  data <- shared_values()
  truth <- c(visits = 50, smokes = 1, children = 0)
  # each misses with a probability below 1e-8
  for (name in names(truth)) {
    x <- data[[name]]
    draw <- function(door, resolution = NULL, epsilon = 0.25) {
      unname(coef(door(x, epsilon = epsilon, lower = 0, upper = shared_limits[[name]],
                       resolution = resolution, rng = "R")))
    }
    quantile <- function(...) dp_quantile(..., probs = 0.5)
    expect_false(draw(dp_median) == truth[[name]], label = name)
    for (door in list(dp_median, dp_median_exponential, quantile)) {
      expect_identical(draw(door, "type"), truth[[name]], label = name)
    }
  }
  expect_identical(coef(dp_median_exponential(data, 2, directions = "axes", lower = 0, upper = shared_limits,
                                              resolution = "type", rng = "R")), truth)
  with_limits <- dp_median(data$visits, epsilon = 4, lower = 0, upper = 200, interval = 0.95,
                           resolution = "type", rng = "R")
  expect_identical(unname(with_limits$interval %% 1), matrix(0, 1, 2))
  by <- dp_by(data, rep(c("a", "b"), c(1, 600)), dp_median_exponential, epsilon = 4, lower = 0,
              upper = shared_limits, directions = "axes", resolution = "type", rng = "R",
              levels = c("a", "b")) |>
    suppressWarnings()
  expect_identical(coef(by)["b", ], truth)
})

test_that("steps by type are those of integer and logical columns; others keep the default", {
  data <- cbind(weight = seq(1.5, by = 0.25, length.out = 601), shared_values())
  of <- function(x, resolution = "type", ...) {
    dp_median_exponential(x, 1, lower = 0, upper = 200, directions = "axes", resolution = resolution,
                          rng = "R", ...)$details
  }
  step <- of(data)$resolution
  expect_identical(step[-1], c(visits = 1, smokes = 1, children = 1))
  expect_identical(step[["weight"]], of(data["weight"])$step[["weight"]])
  # what no name tells apart
  expect_identical(unname(of(stats::setNames(data[c(2, 2)], c("a", "a")))$resolution), c(1, 1))
  expect_identical(of(as.matrix(data[c(2, 4)]))$resolution, c(visits = 1, children = 1))
  expect_identical(of(data$smokes)$resolution, c(x = 1))
  expect_identical(of(data$visits, prior = NULL)$resolution, c(x = 1))
  expect_identical(unname(of(data$visits, "type", neighbours = "add_remove")$resolution), 1)
  # a class may count something else by its integers
  cents <- structure(1:601, class = "cents")
  registerS3method("as.double", "cents", function(x, ...) unclass(x) / 100)
  expect_null(typed_resolution("type", structure(list(a = cents), class = "data.frame", row.names = 1:601)))
  # the column of ids is out of it
  people <- data.frame(id = rep(1:300, 2), visits = rep(c(0L, 50L, 100L), each = 200))
  expect_identical(dp_median(people, 1, lower = 0, upper = 100, resolution = "type", id = ~id,
                             rng = "R")$details$resolution, c(visits = 1))
  # without limits it is the prior's unit, and of another lattice the step
  expect_identical(dp_median(people$visits, 1, resolution = "type", rng = "R")$details$step, c(visits = 1))
  expect_identical(dp_median_restricted(people$visits, 1, 1e-6, resolution = "type",
                                        rng = "R")$details$resolution, c(visits = 1))
  expect_identical(dp_depth(50, people$visits, 1, lower = 0, upper = 100, resolution = "type",
                            rng = "R")$details$resolution, c(visits = 1))
  expect_identical(dp_ecdf(people$visits, 1, lower = 0, upper = 100, resolution = "type",
                           rng = "R")$details$resolution, c(visits = 1))
})

# Does a release that was not told so, or that of doubles, depend on whether the rows are whole numbers?
types_decide <- function() {
  told <- function(x, ...) {
    dp_median(x, 9, lower = 0, upper = 10, rng = "R", ...)$details[c("step", "resolution", "lattice")]
  }
  whole <- c(1:9, 2L)
  other <- replace(as.double(whole), 3, 2.5)
  !identical(told(whole), told(other)) ||
    !identical(told(as.double(whole), resolution = "type"), told(other, resolution = "type"))
}

test_that("types are looked at where they are said to be declared, and values never", {
  expect_false(types_decide())
  asks <- "if (is.character(given$resolution)"
  unasked <- paste0("if (is.null(given$resolution)) given$resolution <- \"type\"\n    ", asks)
  expect_true(caught(bug(types_decide, "planned_release", asks, unasked)))
  expect_true(caught(bug(types_decide, "typed_resolution",
                         "typeof(column) %in% c(\"integer\", \"logical\")", "all(column == round(column))")))
})

test_that("where types do not say what a step is, they are refused", {
  refused <- function(call, text) {
    e <- expect_error(call, class = "dpdepth_error_input")
    expect_identical(e$arg, "resolution")
    expect_match(conditionMessage(e), text, fixed = TRUE)
  }
  ledger <- dp_ledger(1, 1e-6)
  refused(dp_regression(dist ~ speed, cars, 1, lower = -9, upper = 9, resolution = "type", ledger = ledger),
          "Types of columns do not say")
  refused(dp_regression(dist ~ speed, cars, 1, 1e-6, lower = -9, upper = 9, method = "deepest",
                        resolution = 1, ledger = ledger), "NULL with method = \"deepest\"")
  refused(dp_median(1:9, 1, lower = 0, upper = 9, resolution = "types", ledger = ledger), "or \"type\"")
  for (method in c("marginal", "smooth")) {
    refused(dp_median(1:9, 1, 1e-6, lower = 0, upper = 9, method = method, resolution = 1, ledger = ledger),
            sprintf("NULL with method = \"%s\"", method))
  }
  tally <- dp_tally(1:9, lower = 0, upper = 9)
  refused(dp_median(tally, 1, resolution = "type", ledger = ledger), "Give it to dp_tally()")
  expect_identical(summary(ledger)$spent, c(0, 0))
})

test_that("a release on the default lattice says what whole numbers need, and no other does", {
  says <- function(release) {
    text <- paste(format(release), collapse = "\n")
    expect_identical(grepl("whole numbers need `resolution`", text, fixed = TRUE),
                     !is.null(release$details$lattice))
    !is.null(release$details$lattice)
  }
  x <- faithful$waiting
  asked <- list(epsilon = 2, lower = 0, upper = 200, rng = "R")
  of <- function(door, x, ...) says(suppressWarnings(do.call(door, c(list(x), asked, list(...)))))
  for (door in list(dp_median, dp_quantile, dp_ecdf, dp_median_exponential)) {
    expect_true(of(door, x))
    expect_false(of(door, x, resolution = 1))
  }
  expect_true(of(dp_median, x, interval = 0.95))
  expect_false(of(dp_median, x, interval = 0.95, resolution = 1))
  expect_true(says(dp_regression(waiting ~ eruptions, faithful, 2, lower = -90, upper = 90, rng = "R")))
  expect_false(says(dp_regression(waiting ~ eruptions, faithful, 2, lower = -90, upper = 90, resolution = 1,
                                  rng = "R")))
  expect_false(says(dp_median(x, 2, prior = prior_dyadic(0.5), resolution = 0.25, rng = "R")))
  # these have none
  expect_false(of(dp_mean, x))
  expect_false(of(dp_median, x, delta = 1e-6, method = "smooth"))
  expect_false(of(dp_median, faithful, method = "marginal"))
  expect_false(says(rival_median(x, 2, lower = 0, upper = 200, rng = "R")))
  expect_false(says(dp_depth(70, x, 2, lower = 0, upper = 200, rng = "R")))
  by <- dp_by(faithful["waiting"], faithful$eruptions > 3, dp_median, 2, levels = c(FALSE, TRUE), lower = 0,
              upper = 200, rng = "R")
  expect_match(paste(format(by), collapse = " "), "whole numbers need `resolution`", fixed = TRUE)
})
