# Releases: what they print, what they give, and that no data can be in them.

test_that("a release has the fields of its help page", {
  r <- people_release()
  expect_named(r, c("estimate", "interval", "epsilon", "delta", "gamma", "guarantee", "mechanism",
                    "neighbours", "n", "d", "exact", "released", "rng", "call", "details"))
  expect_identical(r$neighbours, "substitution")
  expect_null(r$gamma)
  expect_identical(coef(r), c(weight = 81.25, height = 169.5))
  expect_identical(tidy(r), data.frame(term = c("weight", "height"), estimate = c(81.25, 169.5)))
  expect_identical(dim(glance(r)), c(1L, 11L))
  expect_identical(glance(r)$gamma, NA_real_)
  expect_identical(as.data.frame(r)[1:2], tidy(r))
  expect_identical(as.data.frame(r)$epsilon, c(1, 1))
  expect_identical(rownames(as.data.frame(r, row.names = c("a", "b"))), c("a", "b"))
  expect_identical(tidy(people_release(estimate = 3))$term, "estimate")
  expect_identical(tidy(people_release(estimate = c(3, 4)))$term, c("[1]", "[2]"))
})

test_that("a failed test is a value of the same shape", {
  r <- people_release(released = FALSE)
  expect_identical(r$estimate, c(weight = NA_real_, height = NA_real_))
  expect_identical(names(r), names(people_release()))
})

test_that("releases print what was released and what it is worth", {
  local_reproducible_output(width = 80)
  expect_snapshot({
    people_release()
    summary(people_release())
    people_release(
      estimate = 53.5, d = 1, delta = 1e-6, guarantee = "approximate", exact = FALSE, rng = "R",
      details = list(lower = 0, upper = 100)
    )
    people_release(guarantee = "unproved", delta = 1e-6, gamma = 0.05, released = FALSE)
    people_release(guarantee = "stationary", exact = FALSE)
    people_release(
      guarantee = "asymptotic", delta = 1e-6, epsilon = 30, details = list(prior = prior_normal(0, 10))
    )
    tidy(people_release())
    glance(people_release())
    people_release(call = NULL, details = list(list(1, 2), m = diag(2), k = 1:20, l = c(a = 1, b = 2)))
  })
})

test_that("a guarantee that is not proved is named in title, sentence, glance and ledger", {
  weak <- list(stationary = list(exact = FALSE), asymptotic = list(delta = 1e-6),
               unproved = list(delta = 1e-6, gamma = 0.1))
  for (guarantee in names(weak)) {
    for (released in c(TRUE, FALSE)) {
      r <- do.call(people_release, c(weak[[guarantee]], guarantee = guarantee, released = released))
      expect_match(format(r)[[1]], weak_guarantees[[guarantee]], fixed = TRUE)
      expect_identical(grepl("exact = FALSE", format(r)[[1]], fixed = TRUE), guarantee == "stationary")
      expect_match(release_properties(r)[["guarantee"]], guarantee)
    }
    expect_false(any(grepl("pure", c(format(r), format(summary(r))))))
    expect_identical(glance(r)$guarantee, guarantee)
    expect_false(glance(r)$proved)
    ledger <- dp_ledger(1, 0.1)
    ledger_spend(ledger, 1, 0, strrep("long ", 40), guarantee)
    expect_match(as.data.frame(ledger)$label, guarantee)
    expect_match(paste(format(ledger), collapse = " "), weak_guarantees[[guarantee]])
  }
  expect_true(glance(people_release())$proved)
  expect_error(people_release(exact = FALSE), class = "dpdepth_error_internal")
  expect_error(people_release(guarantee = "random"), class = "dpdepth_error_input")
})

test_that("only plain things go into a release", {
  parts <- list(sum, globalenv(), y ~ x, quote(x), factor("a"), Sys.Date(), data.frame(a = 1), dp_ledger(1),
                list(list(sum)), expression(a), array(1, c(1, 1, 1)))
  for (bad in parts) {
    expect_error(people_release(details = list(bad = bad)), class = "dpdepth_error_internal")
  }
  v <- structure(c(a = 1), secret = 99.125, comment = "no")
  r <- people_release(estimate = v, details = list(k = v))
  expect_null(attr(r$estimate, "secret"))
  expect_null(attr(r$details$k, "secret"))
  expect_null(comment(r$details$k))
})

test_that("public ranges come from the prior or the bounds", {
  expect_identical(public_range(people_release())$upper, c(250, 220))
  expect_identical(public_range(people_release(details = list(prior = prior_normal(0, 1))))$lower, c(-3, -3))
  expect_identical(public_range(people_release(details = list(lower = 0, upper = 9)))$upper, c(9, 9))
  expect_null(public_range(people_release(details = list())))
  expect_null(public_range(people_release(details = list(lower = -Inf, upper = 9))))
  # quantiles share the range of the coefficients
  d <- data.frame(x = 1:100, y = 1:100)
  r <- dp_regression(y ~ x, d, 2, lower = c(-9, -5), upper = c(9, 5), tau = c(0.4, 0.6), rng = "R")
  expect_identical(public_range(r)$upper, c(9, 5, 9, 5))
})

test_that("levels and points are printed by name, not as a list or a matrix", {
  expect_identical(detail_text(list(g = c("a", "b"), f = "c")), "g: a, b; f: c")
  expect_identical(detail_text(matrix(c(-1, 1), 2, dimnames = list(NULL, "x"))), "x: -1, 1")
})

# ---- no data in a release ----

# A mechanism as they are written: the call is sanitised, the estimate is a constant.
mechanism <- function(x, epsilon, lower = NULL, upper = NULL, ...) {
  force(x)
  new_release(c(a = 0.5), paid_for(epsilon), mechanism = "test", n = NROW(x), d = 1,
              call = sanitize_call(match.call()))
}
careless <- function(x, epsilon, ...) {
  new_release(0.5, paid_for(epsilon), mechanism = "test", n = NROW(x), d = 1, call = match.call())
}
by_place <- function(x, epsilon, ...) {
  new_release(0.5, paid_for(epsilon), mechanism = "test", n = NROW(x), d = 1,
              call = sanitize_call(sys.call()))
}

test_that("canary doubles in the data never occur in a release", {
  skip_on_cran()
  n <- 16
  x <- 1000 + (seq_len(n) * 0.618033988749895) %% 1 * 8999
  frame <- data.frame(x = x)
  inline <- as.call(c(list(as.name("c")), as.list(x)))
  text <- paste0("c(", toString(format(x, digits = 15)), ")")
  for (f in list(mechanism, careless, by_place)) {
    wrapper <- function(values, ...) f(values, ...)
    releases <- list(
      f(x, 1), f(x = x, epsilon = 1), f(epsilon = 1, x = x), f(frame$x, 1), f(frame[["x"]], 1),
      f(frame[, 1], 1), eval(as.call(list(f, inline, 1))), eval(bquote(f(.(inline), 1))),
      eval(bquote(f(epsilon = 1, x = .(inline)))),
      do.call(f, list(x, 1)), do.call(f, list(x = x, epsilon = 1)), do.call(f, list(x = frame, epsilon = 1)),
      do.call("f", list(x = x, epsilon = 1)), do.call(f, list(x, 1), quote = TRUE),
      do.call(f, list(x = as.list(x), epsilon = 1)), do.call(f, list(matrix(x, 8), 1)),
      lapply(list(x), f, epsilon = 1)[[1]], Map(f, list(x), 1)[[1]],
      Reduce(function(a, b) f(b, 1), list(x), 0), sapply(list(x), function(v) f(v, 1), simplify = FALSE)[[1]],
      wrapper(x, 1), wrapper(values = x, epsilon = 1),
      (function() f(local(x), 1))(), local(f(x * 1, 1)), with(frame, f(x, 1)),
      eval(parse(text = paste0("f(", text, ", 1)"), keep.source = TRUE)),
      eval(parse(text = paste0(text, " |> f(epsilon = 1)"), keep.source = TRUE))
    )
    expect_identical(vapply(releases, leaks, 0L, canaries = x), integer(length(releases)))
  }
})

test_that("canaries do not come in by public arguments that hold objects", {
  skip_on_cran()
  x <- 1000 + (seq_len(40) * 0.618033988749895) %% 1 * 8999
  carrier <- function(...) do.call(mechanism, list(x = quote(x), epsilon = 1, ...))
  e <- list2env(list(z = x))
  closure <- local(function() z, e)
  formula <- local(y ~ z, e)
  attributed <- structure(1, hidden = x)
  quoted <- structure(quote(f(a)), hidden = x)
  name <- as.name(paste(x, collapse = " "))
  string <- paste(x, collapse = " ")
  releases <- list(
    carrier(more = e), carrier(more = closure), carrier(more = formula), carrier(more = x),
    carrier(more = attributed), carrier(more = quoted), carrier(more = as.list(x)), carrier(more = string),
    carrier(lower = x), carrier(more = dp_ledger(1)), carrier(more = name), carrier(more = expression(x)),
    carrier(more = as.call(c(as.name("list"), as.list(rep(x, 3))))), carrier(more = as.complex(x)),
    carrier(more = as.call(c(as.name("median"), as.list(x)))),
    carrier(more = as.call(c(closure, as.list(x)))), carrier(more = quote(f(, 1))),
    carrier(more = as.call(list(as.name("function"), NULL, x))), carrier(more = factor(x)),
    carrier(more = structure(list(), class = string)), carrier(more = as.raw(1:10)),
    carrier(more = as.call(list(as.name("c"), as.call(c(as.name("median"), as.list(x)))))),
    do.call(mechanism, c(list(x = quote(x), epsilon = 1), stats::setNames(list(1), string)))
  )
  expect_identical(vapply(releases, leaks, 0L, canaries = x), integer(length(releases)))
})

test_that("the canary test itself sees a leak", {
  x <- 1000 + (seq_len(40) * 0.618033988749895) %% 1 * 8999
  leaky <- mechanism(x, 1)
  leaky$extra <- x[[7]]
  expect_identical(leaks(leaky, x), 1L)
  leaky <- mechanism(x, 1)
  leaky$call <- bquote(f(.(x)))
  expect_identical(leaks(leaky, x), 40L)
  attr(leaky, "env") <- environment()
  expect_identical(leaks(leaky, x), 40L)
})

test_that("a release's size does not depend on n", {
  size <- function(n, call) {
    x <- as.double(seq_len(n)) + 0.5
    r <- call(x)
    r$n <- 0L
    length(serialize(r, NULL))
  }
  for (call in list(function(x) mechanism(x, 1), function(x) do.call(mechanism, list(x, 1)),
                    function(x) do.call(careless, list(data.frame(x), 1)))) {
    expect_identical(size(10, call), size(10000, call))
  }
})

test_that("with ids neighbours differ in all rows of a person, and the print says so", {
  r <- dp_median(c(5, 7, 9), epsilon = 1, lower = 0, upper = 20, id = c("a", "b", "b"), rng = "R") |>
    suppressWarnings()
  text <- gsub(" +", " ", paste(format(r), collapse = " "))
  expect_match(text, "replacing all rows of any one person changes")
  expect_no_match(text, "any one row", fixed = TRUE)
  expect_match(format(summary(r)), "substitution of all rows of one person; n is public", fixed = TRUE,
               all = FALSE)
})

test_that("numbers of very different sizes are not all printed with exponents", {
  r <- dpdepth:::new_release(
    c(bmi = 25.41139, income = 22246.04, rate = 1e-9), paid_for(rng = "R"), mechanism = "m", n = 9, d = 3
  )
  expect_match(format(r), "25.41139 22246.04 +1e-09", all = FALSE)
})

# -- calls: what is public stays, nothing that could hold data does ----------------------------------

test_that("calls keep what is public", {
  skip_on_cran()
  show <- function(call, ...) cat(call_text(sanitize_call(call, ...)), "\n", sep = "")
  f <- function(x, ...) match.call()
  expect_snapshot({
    show(quote(dp_median(x = people, epsilon = 1, delta = 1e-6)))
    show(quote(dpdepth::dp_median(people, 1, ledger = budget, rng = "R")))
    show(quote(dp_median(x = people$age, epsilon = 1 / 3)))
    show(quote(dp_median(epsilon = 1, people)))
    show(quote(dp_median(c(1, 2, 3), epsilon = 1)))
    show(quote(dp_median(x, prior = prior_normal(mean = c(0, -5), sd = 10), lower = c(a = 0, b = 1))))
    show(quote(dp_median(x, lower = min(x), upper = quantile(x, c(0.1, 0.9)), exact = TRUE, gamma = NULL)))
    show(do.call(f, list(data.frame(a = 1), epsilon = 1, directions = diag(2), prior = prior_normal(0, 1))))
    show(do.call(f, list(1:3, epsilon = 1)), fun = "dp_median")
    show(lapply(list(1:3), f, epsilon = 1)[[1]])
    show(quote(dp_regression(weight ~ height + age, data = people, epsilon = 1)), "data")
    show(quote(depth(points, people, 1)), c("data", "points"))
    show(quote(f(x, , function(a) a + 12)))
    show((function(...) f(...))(people, epsilon = 2))
  })
  public <- quote(dp_regression(y ~ I(x - 1), data = d, prior = prior_dyadic(0.5)))
  expect_identical(sanitize_call(public, "data"), public)
  expect_null(sanitize_call(NULL))
  expect_null(sanitize_call(sum))
  # a clean call stays as it is
  clean <- list(quote(f(x = `<data>`, `<expression>`, ..1, stats::sd)), quote(`<function>`(x = `<matrix>`)))
  for (call in clean) {
    once <- sanitize_call(call)
    expect_identical(sanitize_call(once), once)
  }
})

test_that("neither names of arguments nor classes of what was given can bring text along", {
  named <- function(name) {
    sanitize_call(as.call(stats::setNames(list(quote(f), quote(x), 1), c("", "", name))))
  }
  expect_identical(named("epsilon"), quote(f(x, epsilon = 1)))
  for (name in c("12 345", "1.25", "if", strrep("a", 81))) expect_identical(named(name), quote(f(x, 1)))
  kind <- function(value) as.character(sanitize_call(as.call(list(quote(f), quote(x), value)))[[3]])
  for (value in list(1, list(1))) expect_identical(kind(structure(value, class = "c12345")), "<object>")
})
